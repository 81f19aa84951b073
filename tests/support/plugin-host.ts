import type { Properties } from "../../provider/src/framework/properties";
import { FakeEngine } from "./fake-engine";
import { type Host, type Provider, ProviderFailure, type Side, type StartOptions } from "./host";
import { LogBook } from "./log-book";
import { type Marked, type Marks, SecretBook, styleOf, unmarked } from "./marked-values";
import type { PluginCalls } from "./plugin-calls";
import { PluginProvider } from "./plugin-provider";
import { type ProviderProcess, startPlugin } from "./provider-process";

/** The native plugin's own process, spoken to over gRPC as the engine does. */
export class PluginHost implements Host {
  readonly name = "native plugin process over gRPC";
  readonly ownsTime = false;
  readonly side = (): Side => "native";
  readonly #marks = new WeakMap<Properties, Marks>();
  #engine: Promise<FakeEngine> | undefined;
  #process: Promise<ProviderProcess> | undefined;
  #log = new LogBook();
  #secrets = new SecretBook();
  /** Part of each URN, so that a late message does not reach the log of another scenario. */
  #scenario = 0;

  /** One process serves all runs: with each handshake begins a new one, as for a plugin that is attached to. */
  async start({ settings, baseUrl, token, run, log, preview, hasProgram = true }: StartOptions): Promise<Provider> {
    if (log !== this.#log) {
      this.#log = log;
      this.#scenario += 1;
      this.#secrets = new SecretBook();
    }
    this.#engine ??= FakeEngine.start((line) => {
      if (line.urn?.startsWith(this.#stack()) === true) this.#log.add(line);
    });
    const engine = await this.#engine;
    engine.rootResource = "";
    const { address } = engine;
    this.#process ??= startPlugin(address);
    const running = await this.#process;
    const { calls } = running;
    await calls.handshake(address);
    // Before each step of an `up`, this host also asks what a preview would show. That must not look at the service.
    const looks = preview ? {} : { previewChecks: "false" };
    const given = unmarked({ baseUrl, apiToken: token, ...settings, ...looks });
    const inputs = hasProgram ? await checkedConfig(calls, given) : { ...given, marks: [["apiToken"]] };
    await calls.configure(inputs);
    const memory = { marks: this.#marks, secrets: this.#secrets, style: styleOf(run), stack: this.#stack() };
    return new PluginProvider(calls, memory, () => {
      this.#secrets.refuse([running.printed, ...log.lines.map(({ text }) => text)]);
      if (running.printed !== "") throw new Error(`the plugin printed ${running.printed}`);
    });
  }

  async close(): Promise<void> {
    await (await this.#process)?.stop();
    (await this.#engine)?.close();
    this.#process = undefined;
    this.#engine = undefined;
  }

  #stack(): string {
    return `urn:pulumi:scenario-${this.#scenario}::contract::`;
  }
}

/** Only a program causes this call. */
async function checkedConfig(calls: PluginCalls, given: Marked): Promise<Marked> {
  const { inputs, failures } = await calls.checkConfig(given);
  if (failures.length > 0) throw new ProviderFailure(failures.join("\n"));
  return inputs;
}
