import type { PreviewenvFunction } from "../framework/function";
import { getBuildHistory } from "./get-build-history";
import { getBypassToken } from "./get-bypass-token";
import { getEnvVars } from "./get-env-vars";
import { getEnvironment } from "./get-environment";
import { getEnvironments } from "./get-environments";
import { variablesFromDotenv } from "./variables-from-dotenv";

/** Every function, in the order of the reference. */
export const functions: readonly PreviewenvFunction[] = [
  getEnvironment,
  getEnvironments,
  getBuildHistory,
  getEnvVars,
  getBypassToken,
  variablesFromDotenv,
];
