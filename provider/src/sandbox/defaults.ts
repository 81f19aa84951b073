/** How long a build takes when nobody says otherwise. */
export const DEFAULT_BUILD_SECONDS = 3;

/** The token that is valid when nobody says otherwise. It protects nothing and is no secret. */
export const DEFAULT_TOKEN = "sandbox-token";

/** Where the command listens when nobody says otherwise. */
export const DEFAULT_COMMAND_PORT = 4010;
