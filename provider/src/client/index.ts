import type { AttemptsOptions } from "./attempts";
import { parseBaseUrl, proxyFor } from "./base-url";
import { Builds } from "./builds";
import { EnvVars } from "./env-vars";
import { Environments } from "./environments";
import { ConfigError } from "./errors";
import type { Connections } from "./connections";
import { Transport } from "./transport";

/** Options of a client. */
export interface ClientOptions extends AttemptsOptions {
  readonly baseUrl: string;
  readonly apiToken: string;
  /** Allows plain http to other machines. Default false. */
  readonly allowInsecureHttp?: boolean;
  /** Carries requests instead of the client's own connections, in tests. */
  readonly connections?: Connections | undefined;
}

/** The characters that an HTTP header can contain unchanged. A line break would begin another header. */
const TOKEN = /^[\u0021-\u007e]+( +[\u0021-\u007e]+)*$/u;

/** The Environment Management API. Throws ConfigError for options that cannot work, and sends nothing by itself. */
export class PreviewenvClient {
  readonly environments: Environments;
  readonly builds: Builds;
  readonly envVars: EnvVars;
  /** Where requests go, without the path of the API: for errors. */
  readonly address: string;
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
    const proxy = options.connections === undefined ? proxyFor(baseUrl, process.env) : undefined;
    const transport = new Transport({ ...options, baseUrl, proxy });
    this.#transport = transport;
    this.address = baseUrl.origin + baseUrl.prefix;
    this.environments = new Environments(transport);
    this.builds = new Builds(transport);
    this.envVars = new EnvVars(transport);
  }

  /** An environment as messages name it: `shop-pr-9 (<id>)`, or its id while no answer has shown its name. */
  titleOf(environmentId: string): string {
    return this.#transport.titleOf(environmentId);
  }

  /** Notes hidden values that an earlier run has sent: no text of the service shows them. */
  remember(values: readonly string[]): void {
    this.#transport.remember(values);
  }

  /** Whether the last answer that depends on the token was 401. */
  get isTokenRefused(): boolean {
    return this.#transport.isTokenRefused;
  }

  /** Calls `report` with a line for people while requests wait for more than 2 s. Returns a function that stops the calls. */
  onWait(report: (text: string) => void): () => void {
    return this.#transport.onWait(report);
  }

  /** Ends all connections, so that the process can exit. Calls under way fail with CancelledError. */
  close(): Promise<void> {
    return this.#transport.close();
  }
}

/** `engines` of package.json. undici needs it: with an older one each request fails, and nothing says why. */
const OLDEST = [22, 19] as const;

/**
 * @param versions as `process.versions` has them
 * @throws ConfigError when requests cannot work in this process
 */
export function requireRuntime({ node, bun }: { readonly node: string; readonly bun?: string | undefined }): void {
  // Bun names the Node release that it is like.
  if (bun !== undefined)
    throw new ConfigError(
      `pulumi-previewenv does not run on Bun, and this is Bun ${bun}: import pulumi-previewenv/native, whose plugin brings its own ` +
        "Node, or run the program on Node.",
    );
  const [oldestMajor, oldestMinor] = OLDEST;
  const [major = 0, minor = 0] = node.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new ConfigError(
    `pulumi-previewenv needs Node ${OLDEST.join(".")} or newer, and this is ${node}, at ${process.execPath}. Install a newer one ` +
      "(https://nodejs.org/en/download). Pulumi takes the first `node` on PATH.",
  );
}
