// Generated from provider/src/framework/settings.ts by `npm run generate`. Do not edit.

import type * as pulumi from "@pulumi/pulumi";

/**
 * Settings of a provider. A setting that is left out comes from stack config (`previewenv:<name>`), or else from
 * its environment variable.
 */
export interface ProviderArgs {
  /**
   * Address of the Environment Management API, without `/api/v1`. A path before `/api/v1` is kept. Environment
   * variable: `PREVIEWENV_BASE_URL`.
   */
  baseUrl?: pulumi.Input<string>;
  /**
   * The organization's API token, from the organization settings page of the service's dashboard. Secret.
   * Environment variable: `PREVIEWENV_API_TOKEN`.
   */
  apiToken?: pulumi.Input<string>;
  /**
   * How long one attempt of one request may take, in seconds. Environment variable:
   * `PREVIEWENV_REQUEST_TIMEOUT_SECONDS`.
   * @default 30
   */
  requestTimeoutSeconds?: pulumi.Input<number>;
  /**
   * How often each request is repeated after 502, 503, 504 or a lost connection. Not set: it is repeated until the
   * service has given no other answer for 60 seconds. Waiting after a 429 does not count as a repetition.
   * Environment variable: `PREVIEWENV_MAX_RETRIES`.
   */
  maxRetries?: pulumi.Input<number>;
  /**
   * How many requests may be in flight at once in one provider process. Environment variable:
   * `PREVIEWENV_MAX_CONCURRENCY`.
   * @default 8
   */
  maxConcurrency?: pulumi.Input<number>;
  /**
   * How many variables one request writes at most. Halved when the service answers 413. Environment variable:
   * `PREVIEWENV_BATCH_SIZE`.
   * @default 100
   */
  batchSize?: pulumi.Input<number>;
  /**
   * Allows plain http to a host that is not a loopback address. The token is then sent unencrypted. Environment
   * variable: `PREVIEWENV_ALLOW_INSECURE_HTTP`.
   * @default false
   */
  allowInsecureHttp?: pulumi.Input<boolean>;
  /**
   * Whether a preview asks the service about what will be created, and about variables with new names. `false`: a
   * preview makes no request of its own. Environment variable: `PREVIEWENV_PREVIEW_CHECKS`.
   * @default true
   */
  previewChecks?: pulumi.Input<boolean>;
  /**
   * Whether a preview warns of plain texts in visible variables that read like secrets, by their names or because
   * they are URLs with a password. Environment variable: `PREVIEWENV_SECRET_HINTS`.
   * @default true
   */
  secretHints?: pulumi.Input<boolean>;
}

/** Every setting, and whether it is a secret. */
export const settings = [
  { name: "baseUrl", secret: false },
  { name: "apiToken", secret: true },
  { name: "requestTimeoutSeconds", secret: false },
  { name: "maxRetries", secret: false },
  { name: "maxConcurrency", secret: false },
  { name: "batchSize", secret: false },
  { name: "allowInsecureHttp", secret: false },
  { name: "previewChecks", secret: false },
  { name: "secretHints", secret: false },
] as const;
