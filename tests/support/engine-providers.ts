import type { Program } from "./engine-steps";
import type { Phase, Provider, Step } from "./host";

/**
 * The provider processes of a command: the default provider's, and one for each Provider that a resource of the program or of state names. The
 * engine starts such a one as soon as it needs it.
 */
export async function startProviders(
  start: (phase: Phase) => Promise<Provider>,
  phase: Phase,
  program: Program,
): Promise<Provider> {
  const named = new Set(Object.values(program).map(({ provider }) => provider));
  const serves = (name: string | undefined): boolean =>
    (phase.hasProgram ?? true) && (named.has(name) || (name === undefined && named.size === 0));
  const first = await start({ ...phase, servesProgram: serves(undefined) });
  const others = new Map<string, Promise<Provider>>();
  const of = ({ provider: name }: Step): Promise<Provider> | Provider => {
    if (name === undefined) return first;
    const started =
      others.get(name) ?? start({ ...phase, servesProgram: serves(name), provider: name, isSecond: true });
    others.set(name, started);
    return started;
  };
  return {
    check: async (type, olds, news, step) => (await of(step)).check(type, olds, news, step),
    diff: async (type, id, olds, news, step) => (await of(step)).diff(type, id, olds, news, step),
    create: async (type, news, step) => (await of(step)).create(type, news, step),
    read: async (type, id, olds, inputs, step) => (await of(step)).read(type, id, olds, inputs, step),
    lookUp: async (type, id, given, step) => (await of(step)).lookUp(type, id, given, step),
    update: async (type, id, olds, news, step) => (await of(step)).update(type, id, olds, news, step),
    delete: async (type, id, olds, step) => (await of(step)).delete(type, id, olds, step),
    ...(first.import && { import: async (type, id, step) => (await of(step)).import?.(type, id, step) }),
    ...(first.foresee && {
      foresee: async (type, news, olds, step) => (await (await of(step)).foresee?.(type, news, olds, step)) ?? news,
    }),
    async cancel() {
      for (const one of [first, ...others.values()]) await (await one).cancel();
    },
    async stop() {
      for (const one of [first, ...others.values()]) await (await one).stop();
    },
  };
}
