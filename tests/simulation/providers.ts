import type { Provider } from "../support/host";

/** Which resources are of the second of two Providers: the second set, and variables of their own. */
const OF_SECOND = /^(t|e-.*)(-renamed)?$/su;

/** Whether a resource is of the second of two Providers, by its Pulumi name. */
export function isOfSecond(name: string): boolean {
  return OF_SECOND.test(name);
}

/** Two Providers as the engine has them: each resource is of one, and keeps it. */
export function bothOf(first: Provider, second: Provider): Provider {
  const of = ({ name }: { readonly name: string }): Provider => (isOfSecond(name) ? second : first);
  return {
    check: (type, olds, news, step) => of(step).check(type, olds, news, step),
    diff: (type, id, olds, news, step) => of(step).diff(type, id, olds, news, step),
    create: (type, news, step) => of(step).create(type, news, step),
    read: (type, id, olds, inputs, step) => of(step).read(type, id, olds, inputs, step),
    import: async (type, id, step) => of(step).import?.(type, id, step),
    lookUp: (type, id, given, step) => of(step).lookUp(type, id, given, step),
    update: (type, id, olds, news, step) => of(step).update(type, id, olds, news, step),
    delete: (type, id, olds, step) => of(step).delete(type, id, olds, step),
    async cancel() {
      await Promise.all([first.cancel(), second.cancel()]);
    },
    async stop() {
      await Promise.all([first.stop(), second.stop()]);
    },
  };
}
