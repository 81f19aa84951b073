import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { ONE_LINE } from "./name-rules";
import { isMap, type Properties, withoutNil } from "./properties";
import type { OutputFacts, ResourceFacts } from "./resource-facts";

/** The facts that a declaration states of a field beside its shape. */
export interface FieldFacts {
  /** A change of this input needs a new resource, as one of `environmentId` always does. */
  readonly replaces?: true;
  /** The input is always a secret. Of a map each entry. */
  readonly secret?: true;
  /** The input is a secret unless this other input is literally `false`: then the service's dashboard shows it as plain text. */
  readonly secretUnlessFalse?: string;
  /** The service's dashboard shows this input as plain text. A secret belongs into that other input. */
  readonly secretsGoInto?: string;
  /**
   * Messages or other outputs repeat texts of this input, such as a branch: a Pulumi secret in it is taken out of those. Not of ids and names of
   * variables, which ids of resources have, nor of values of variables, which no message has.
   */
  readonly shownInMessages?: true;
  /**
   * An output that shows what this input names, and what it named before. If there is a Pulumi secret in the input, the whole output is one from
   * then on: an earlier secret in the output is known as one to nobody.
   */
  readonly secretLike?: string;
  /** Messages of a delete repeat texts of this output. */
  readonly shownByDelete?: true;
  /** An output that is bookkeeping: left out of diffs and of the reference. */
  readonly internal?: true;
}

/**
 * The facts of the fields of all resources: `z.string().register(fieldFacts, { secret: true })`. It comes last: whatever wraps a
 * field, such as `optional()`, makes another field without facts.
 */
export const fieldFacts = z.registry<FieldFacts>();

/** The facts of all fields of a declaration. */
export function factsOf(
  inputs: z.ZodObject,
  state: z.ZodObject,
): Omit<ResourceFacts, "exclusive"> & OutputFacts & Record<"replaceOnChanges", readonly string[]> {
  const shape = { ...state.shape, ...inputs.shape };
  const fields = Object.entries(shape).map(([name, field]) => ({ name, ...fieldFacts.get(field) }));
  const namesOf = (those: typeof fields): readonly string[] => those.map(({ name }) => name);
  const masked = fields.find(({ secretUnlessFalse }) => secretUnlessFalse !== undefined);
  const visible = fields.find(({ secretsGoInto }) => secretsGoInto !== undefined);
  return {
    replaceOnChanges: namesOf(fields.filter(({ name, replaces }) => name === "environmentId" || replaces)),
    secrets: namesOf(fields.filter(({ secret, secretUnlessFalse }) => secret ?? secretUnlessFalse)),
    shownInMessages: namesOf(fields.filter(({ shownInMessages }) => shownInMessages)),
    secretLikes: fields.flatMap(({ name, secretLike }) =>
      secretLike === undefined ? [] : [[name, secretLike] as const],
    ),
    shownByDelete: namesOf(fields.filter(({ shownByDelete }) => shownByDelete)),
    internals: namesOf(fields.filter(({ internal }) => internal)),
    secretUnlessFalse: masked?.secretUnlessFalse,
    visibleInput: masked
      ? { name: masked.name, advice: `leave out \`${masked.secretUnlessFalse}\`` }
      : visible && { name: visible.name, advice: `use \`${visible.secretsGoInto}\`` },
  };
}

/** The inputs that have a default, with it. */
export function defaultsOf(inputs: z.ZodObject): Properties {
  const entries = Object.entries(inputs.shape).map(([name, field]) => [name, z.safeParse(field, undefined).data]);
  return withoutNil(Object.fromEntries(entries));
}

/** The inputs that a program has to declare: not those that equal their default, nor an empty map or list. */
export function withoutDefaults(inputs: Properties, defaults: Properties): Properties {
  const isEmpty = (value: unknown): boolean =>
    (isMap(value) || Array.isArray(value)) && Object.keys(value).length === 0;
  const entries = Object.entries(inputs);
  return Object.fromEntries(
    entries.filter(([name, value]) => !isEmpty(value) && !isDeepStrictEqual(value, defaults[name])),
  );
}

/**
 * An enum with a description of each value, in whole sentences. The reference, the schema and the editor show them.
 * @param texts the description by value. The type checker refuses an enum in which one is missing
 */
export function describedEnum<const T extends string>(
  values: readonly [T, ...T[]],
  texts: Readonly<Record<T, string>>,
) {
  return z.enum(values).meta({ valueDescriptions: texts });
}

/** The environment that a resource or function is about. */
export const environmentIdField = z.guid().describe("UUID of the environment.");

/** @see ONE_LINE */
export const lineField = z.string().regex(ONE_LINE);
