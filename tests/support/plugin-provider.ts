import { isDeepStrictEqual } from "node:util";
import { DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import { isMap, type Properties } from "../../provider/src/framework/properties";
import { type Answer, type Found, holdToForesight, type Provider, type Step, type Verdict } from "./host";
import { type Marked, type Marks, programMarks, type SecretBook, type Style, unmarked } from "./marked-values";
import { CallError, type PluginCalls } from "./plugin-calls";

const MAPS = ["variables", "secrets"];

/** What a run shares with the others of its scenario. */
export interface Memory {
  /** Marks by the object that came out of a call: what the engine keeps encrypted stays marked between runs. */
  readonly marks: WeakMap<Properties, Marks>;
  readonly secrets: SecretBook;
  readonly style: Style;
  readonly stack: string;
}

/** The calls of one run. Holds every answer to what the program and the declaration say is secret. */
export class PluginProvider implements Provider {
  readonly #calls: PluginCalls;
  readonly #memory: Memory;
  readonly #inspect: () => void;

  constructor(calls: PluginCalls, memory: Memory, inspect: () => void) {
    this.#calls = calls;
    this.#memory = memory;
    this.#inspect = inspect;
  }

  async check(type: string, olds: Properties, news: Properties, step: Step): Promise<Answer> {
    const { name, secretPaths = [] } = step;
    const { bag, marks } = this.#sent(type, news);
    const given = { bag, marks: [...marks, ...secretPaths.map((path) => path.split("."))] };
    const urn = this.#urn(type, name);
    const { inputs, failures } = await this.#failing(() => this.#calls.check(urn, this.#sent(type, olds), given));
    this.#memory.secrets.refuse(failures);
    return { inputs: this.#received(type, inputs, [given]), failures };
  }

  async diff(type: string, id: string, olds: Properties, news: Properties, step: Step): Promise<Verdict> {
    const reply = await this.#failing(() => this.#calls.diff(this.#comparison(type, id, olds, news, step)));
    const replaces = reply.getReplacesList();
    const details = [...reply.getDetaileddiffMap().entries()];
    const paths = details.map(([path]) => stepsOf(path));
    const isSome = reply.getChanges() === DiffResponse.DiffChanges.DIFF_SOME;
    // The mark of a list is an internal property, which no diff names. Nor is a name that an import has only looked at, and that stays.
    const isUnnamed = olds["__listed"] !== news["__listed"] || MAPS.some((map) => hasOthers(olds[map], news[map]));
    if (!reply.getHasdetaileddiff() || (isSome !== details.length > 0 && !isUnnamed))
      throw new Error("a verdict without its details");
    const roots = new Set(paths.map(([root = ""]) => root));
    if (!isDeepStrictEqual(new Set(reply.getDiffsList()), roots)) throw new Error("diffs are not the details");
    for (const [path, detail] of details)
      if (isReplacing(detail) !== replaces.includes(stepsOf(path)[0] ?? "")) throw new Error(`${path}: wrong kind`);
    return { changes: isSome ? "some" : "none", replaces, paths: paths.map((path) => path.join(".")) };
  }

  async create(type: string, news: Properties, step: Step): Promise<{ id: string; outputs: Properties }> {
    const given = this.#sent(type, news);
    const target = { urn: this.#urn(type, step.name), timeoutSeconds: step.timeoutSeconds ?? 0 };
    const foreseen = await this.foresee(type, news, undefined, step);
    const { id, outputs } = await this.#failing(() => this.#calls.create(target, given), type, [given]);
    const received = this.#received(type, outputs, [given]);
    holdToForesight(foreseen, received);
    return { id, outputs: received };
  }

  async update(type: string, id: string, olds: Properties, news: Properties, step: Step): Promise<Properties> {
    const comparison = this.#comparison(type, id, olds, news, step);
    const foreseen = await this.foresee(type, news, olds, step);
    const outputs = await this.#failing(() => this.#calls.update(comparison), type, [comparison.olds, comparison.news]);
    const received = this.#received(type, outputs, [comparison.news]);
    holdToForesight(foreseen, received);
    return received;
  }

  async foresee(type: string, news: Properties, olds: Properties | undefined, step: Step): Promise<Properties> {
    const given = this.#sent(type, news);
    if (olds !== undefined) {
      const comparison = this.#comparison(type, "any", olds, news, step);
      return this.#received(type, await this.#failing(() => this.#calls.update(comparison, true)), [given]);
    }
    const { id, outputs } = await this.#failing(() =>
      this.#calls.create({ urn: this.#urn(type, step.name) }, given, true),
    );
    if (id !== "") throw new Error(`the preview of a create has the id ${id}`);
    return this.#received(type, outputs, [given]);
  }

  async read(type: string, id: string, olds: Properties, inputs: Properties, step: Step): Promise<Found | undefined> {
    const state = { outputs: this.#sent(type, olds), inputs: this.#sent(type, inputs) };
    const found = await this.#read(type, id, step, state);
    if (found !== undefined && found.id !== id) throw new Error(`a refresh turned the id ${id} into ${found.id}`);
    return found;
  }

  import(type: string, id: string, step: Step): ReturnType<Required<Provider>["import"]> {
    return this.#read(type, id, step);
  }

  lookUp(type: string, id: string, given: Properties, step: Step): ReturnType<Provider["lookUp"]> {
    // The engine sends what the program has given as both, also when that is nothing.
    return this.#read(type, id, step, { outputs: this.#sent(type, given), inputs: this.#sent(type, given) });
  }

  async delete(type: string, id: string, olds: Properties, { name, oldInputs = {} }: Step): Promise<void> {
    const target = { urn: this.#urn(type, name), id };
    await this.#failing(() => this.#calls.delete(target, this.#sent(type, olds), this.#sent(type, oldInputs)));
  }

  async invoke(token: string, args: Properties): Promise<Properties> {
    return (await this.#failing(() => this.#calls.invoke(token, unmarked(args)))).bag;
  }

  cancel(): Promise<void> {
    return this.#calls.cancel();
  }

  async stop(): Promise<void> {
    await this.cancel();
    this.#inspect();
  }

  /** An answer that exists and is not whole comes as an error: the engine keeps it, warns, and goes on. */
  async #read(
    type: string,
    id: string,
    { name }: Step,
    state?: { readonly outputs: Marked; readonly inputs: Marked },
  ): ReturnType<Required<Provider>["import"]> {
    const sources = state === undefined ? [] : [state.outputs, state.inputs];
    const take = (found: { readonly outputs: Marked; readonly inputs: Marked }) => ({
      outputs: this.#received(type, found.outputs, sources),
      inputs: this.#received(type, found.inputs, sources),
    });
    try {
      const found = await this.#calls.read({ urn: this.#urn(type, name), id }, state);
      return found.id === "" ? undefined : { id: found.id, ...take(found) };
    } catch (error) {
      if (!(error instanceof CallError) || error.partial === undefined) throw this.#failure(error);
      const { reasons } = error.partial;
      this.#memory.secrets.refuse(reasons);
      return { id: error.partial.id, reasons, ...take(error.partial) };
    }
  }

  #comparison(type: string, id: string, olds: Properties, news: Properties, step: Step) {
    const { name, oldInputs = {}, ignoreChanges = [], timeoutSeconds = 0 } = step;
    const bags = { olds: this.#sent(type, olds), oldInputs: this.#sent(type, oldInputs), news: this.#sent(type, news) };
    return { urn: this.#urn(type, name), id, ignoreChanges, timeoutSeconds, ...bags };
  }

  /** What came from a call goes back as it came. What a program declares is marked as an SDK marks it. */
  #sent(type: string, bag: Properties): Marked {
    const { marks, secrets, style } = this.#memory;
    const sent = { bag, marks: marks.get(bag) ?? programMarks(type, bag, style) };
    secrets.note(type, sent);
    return sent;
  }

  #received(type: string, answer: Marked, sources: readonly Marked[]): Properties {
    this.#memory.secrets.hold(type, answer, sources);
    this.#memory.marks.set(answer.bag, answer.marks);
    return answer.bag;
  }

  async #failing<T>(action: () => Promise<T>, type: string = "", sources: readonly Marked[] = []): Promise<T> {
    try {
      return await action();
    } catch (error) {
      throw this.#failure(error, type, sources);
    }
  }

  #failure(error: unknown, type: string = "", sources: readonly Marked[] = []): unknown {
    if (!(error instanceof CallError)) return error;
    this.#memory.secrets.refuse([error.message, ...(error.partial?.reasons ?? [])]);
    return error.asFailure((outputs) => this.#received(type, outputs, sources));
  }

  #urn(type: string, name: string): string {
    return `${this.#memory.stack}previewenv:index:${type}::${name}`;
  }
}

const STEP = /\["(?<quoted>(?:[^"\\]|\\.)*)"\]|(?<plain>[^.[\]]+)/gu;

/** The steps of a property path as the engine reads it: `secrets.TOKEN`, `variables["with.dot"]`. */
function stepsOf(path: string): readonly string[] {
  return [...path.matchAll(STEP)].map(
    ({ groups = {} }) => groups["plain"] ?? (groups["quoted"] ?? "").replaceAll(/\\(.)/gu, "$1"),
  );
}

function isReplacing(detail: PropertyDiff): boolean {
  const { ADD_REPLACE, DELETE_REPLACE, UPDATE_REPLACE } = PropertyDiff.Kind;
  return [ADD_REPLACE, DELETE_REPLACE, UPDATE_REPLACE].some((kind) => kind === detail.getKind());
}

/** Whether a map of state has a name that the program does not declare. */
function hasOthers(olds: unknown, news: unknown): boolean {
  const declared = isMap(news) ? news : {};
  return isMap(olds) && Object.keys(olds).some((name) => !Object.hasOwn(declared, name));
}
