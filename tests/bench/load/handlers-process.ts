// A provider process: the life of a set or of single variables, through the handlers of the dynamic host.
import { provider } from "../../../provider/src/hosts/dynamic";
import { loadVariables } from "./variables";

type Bag = Readonly<Record<string, unknown>>;

/** A resource between two operations. */
interface Kept {
  readonly id: string;
  readonly state: Bag;
}

/** As many steps as the engine takes at once. */
const AT_ONCE = 16;
const BYTES_PER_KIB = 1024;
const MICROSECONDS_PER_MS = 1000;
const TEXT = { __provider: "text" };

const [shape = "", size = "", environmentId = ""] = process.argv.slice(2);
const type = provider(shape === "set" ? "EnvVarSet" : "EnvVar");
let runs = 0;

/** The inputs of every resource. */
function declared(generation: number): readonly Bag[] {
  const { variables, secrets } = loadVariables(Number(size), generation);
  if (shape === "set") return [{ ...TEXT, environmentId, variables, secrets }];
  const single =
    (hidden: boolean) =>
    ([name, value]: [string, string]): Bag => ({ ...TEXT, environmentId, name, value, hidden });
  return [...Object.entries(variables).map(single(false)), ...Object.entries(secrets).map(single(true))];
}

async function check(news: Bag): Promise<Bag> {
  const { inputs } = await type.check({}, news);
  return { ...inputs, ...TEXT };
}

async function create(news: Bag): Promise<Kept> {
  const { id, outs } = await type.create(await check(news));
  return { id, state: { ...outs, ...TEXT } };
}

async function update({ id, state }: Kept, news: Bag): Promise<Kept> {
  const inputs = await check(news);
  await type.diff(id, state, inputs);
  const { outs } = await type.update(id, state, inputs);
  return { id, state: { ...outs, ...TEXT } };
}

async function main(): Promise<void> {
  await type.configure({ config: { get: () => undefined } });
  const [before, after] = [declared(0), declared(1)];
  const created = await measured("create", before, create);
  const pairs = created.map((kept, index) => ({ kept, before: before[index] ?? {}, after: after[index] ?? {} }));
  await measured("no change", pairs, async (one) => type.diff(one.kept.id, one.kept.state, await check(one.before)));
  await measured("refresh", created, ({ id, state }) => type.read(id, state));
  const changed = await measured("change all", pairs, (one) => update(one.kept, one.after));
  await measured("destroy", changed, ({ id, state }) => type.delete(id, state));
}

async function measured<T, R>(
  operation: string,
  items: readonly T[],
  act: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  // Another setting is another session, as each command of the CLI has one: nothing of the last operation is remembered.
  runs += 1;
  process.env["PREVIEWENV_MAX_RETRIES"] = String(runs);
  const [cpu, started] = [process.cpuUsage(), performance.now()];
  const results = await each(items, act);
  const { user, system } = process.cpuUsage(cpu);
  process.send?.({
    operation,
    cpuMs: (user + system) / MICROSECONDS_PER_MS,
    wallMs: performance.now() - started,
    peakBytes: process.resourceUsage().maxRSS * BYTES_PER_KIB,
  });
  return results;
}

async function each<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  const open = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of open) results[index] = await act(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
