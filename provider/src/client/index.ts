import { parseBaseUrl } from "./base-url";
import { Builds } from "./builds";
import { CLIENT_DEFAULTS, type ClientOptions } from "./client-options";
import { systemClock } from "./clock";
import { EnvVars } from "./env-vars";
import { EnvironmentTitles } from "./environment-titles";
import { Environments } from "./environments";
import { ConfigError } from "./errors";
import { proxyFor } from "./proxy";
import { requireRuntime } from "./runtime";
import { Transport } from "./transport";

export * from "./errors";
export type { Build, BuildFilters, BuildProject, Builds } from "./builds";
export type { ClientOptions } from "./client-options";
export type { CallOptions } from "./call";
export { type Clock, systemClock } from "./clock";
export type { EnvVar, EnvVarFailure, EnvVarList, EnvVars, EnvVarWrite, UpsertResult } from "./env-vars";
export type { Environment, Project } from "./environment-answer";
export type { InheritedVar } from "./env-vars";
export type { Answer, Connections, OutgoingRequest } from "./connections";
export type { BranchChange, EnvironmentFilters, Environments, Snapshot } from "./environments";

/** What an HTTP header can contain unchanged. A line break would begin another header. */
const TOKEN = /^[\u0021-\u007e]+( +[\u0021-\u007e]+)*$/u;

/** The Environment Management API. Throws ConfigError for options that cannot work, and sends nothing by itself. */
export class PreviewenvClient {
  readonly environments: Environments;
  readonly builds: Builds;
  readonly envVars: EnvVars;
  /** Where requests go, without the path of the API: for errors. */
  readonly address: string;
  readonly #titles = new EnvironmentTitles();
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    requireRuntime(process.versions);
    if (!TOKEN.test(options.apiToken)) {
      throw new ConfigError(
        "The token in previewenv:apiToken or PREVIEWENV_API_TOKEN is empty, or has spaces around it, line breaks or " +
          "other characters that no HTTP header may contain. Copy the token again.",
      );
    }
    const baseUrl = parseBaseUrl(options.baseUrl, options.allowInsecureHttp ?? false);
    const transport = new Transport({
      baseUrl,
      apiToken: options.apiToken,
      requestTimeoutMs: atLeast(1, "requestTimeoutMs", options.requestTimeoutMs ?? CLIENT_DEFAULTS.requestTimeoutMs),
      maxConcurrency: atLeast(1, "maxConcurrency", options.maxConcurrency ?? CLIENT_DEFAULTS.maxConcurrency),
      maxRetries: options.maxRetries === undefined ? undefined : atLeast(0, "maxRetries", options.maxRetries),
      clock: options.clock ?? systemClock,
      proxy: options.connections === undefined ? proxyFor(baseUrl, process.env) : undefined,
      connections: options.connections,
    });
    this.#transport = transport;
    this.address = baseUrl.origin + baseUrl.prefix;
    this.environments = new Environments(transport, this.#titles);
    this.builds = new Builds(transport, this.#titles);
    this.envVars = new EnvVars(transport, this.#titles);
  }

  /** An environment as messages name it: `shop-pr-9 (<id>)`, or its id while no answer has shown its name. */
  titleOf(environmentId: string): string {
    return this.#titles.of(environmentId);
  }

  /** Whether the last answer that depends on the token was 401. */
  get isTokenRefused(): boolean {
    return this.#transport.isTokenRefused;
  }

  /** Calls `report` with a line for people while requests wait for more than 2 s. Returns a function that stops the calls. */
  onWait(report: (text: string) => void): () => void {
    return this.#transport.onWait(report);
  }

  /** Ends all connections, so that the process can exit; calls under way fail with CancelledError. */
  close(): Promise<void> {
    return this.#transport.close();
  }
}

function atLeast(least: number, name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new ConfigError(`${name} must be a whole number of at least ${least}.`);
}
