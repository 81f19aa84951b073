import * as z from "zod";
import { flattened, IdText, listOf } from "./answer";
import { type CallOptions, environmentPath, path } from "./call";
import { displayable } from "./error-text";
import type { EnvironmentTitles } from "./environment-titles";
import type { Transport } from "./transport";

/** An environment variable as the service answers it. */
export interface EnvVar {
  readonly id?: string;
  readonly name: string;
  /** Masked by the service when `hidden` is true. */
  readonly value: string;
  readonly hidden: boolean;
  /** Empty: every service. */
  readonly services: readonly string[];
  /** `YYYY-MM-DDTHH:MM:SS` without zone. */
  readonly createdAt?: string;
  /** `YYYY-MM-DDTHH:MM:SS` without zone. */
  readonly updatedAt?: string;
}

/** An environment variable to be written. */
export interface EnvVarWrite {
  readonly name: string;
  readonly value: string;
  readonly hidden: boolean;
  /** Empty: every service. */
  readonly services: readonly string[];
}

/** A variable that the service did not store. */
export interface EnvVarFailure {
  /** Absent when the service does not say which one. */
  readonly name?: string;
  /** The service's text, ready for display: the values that were sent are taken out. */
  readonly reason: string;
}

/** What a write stored, and what it did not. */
export interface UpsertResult {
  /** In any order; may hold variables that were not sent. */
  readonly stored: readonly EnvVar[];
  readonly failed: readonly EnvVarFailure[];
}

/** The specification: "204 deleted". A 200 of a gateway must not count as deleted. */
const DELETED = 204;

/** An environment's own variables, and those it inherits. */
export interface EnvVarList {
  readonly variables: readonly EnvVar[];
  /** One for each item, with the fields that could be read. */
  readonly inherited: readonly InheritedVar[];
}

const EnvVarAnswer = flattened({
  id: IdText.nullish(),
  name: z.string(),
  value: z.string(),
  hidden: z.boolean(),
  services: listOf(z.string()).nullish(),
  created_at: IdText.nullish(),
  updated_at: IdText.nullish(),
}).transform(({ id, name, value, hidden, services, created_at, updated_at }): EnvVar => ({
  ...(typeof id === "string" && { id }),
  name,
  value,
  hidden,
  services: services ?? [],
  ...(typeof created_at === "string" && { createdAt: created_at }),
  ...(typeof updated_at === "string" && { updatedAt: updated_at }),
}));

/** An inherited variable, as far as it can be read: the specification does not show what these items hold. */
export interface InheritedVar {
  readonly name?: string;
  /** As the service gives it. It is known to be no secret only when `hidden` is false. */
  readonly value?: string;
  readonly hidden?: boolean;
  /** Empty: every service. Absent: the service does not say. */
  readonly services?: readonly string[];
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

const Text = z.string().optional().catch(undefined);
const Services = listOf(z.string())
  .nullish()
  // In a write, null means every service.
  .transform((services) => (services === null ? [] : services))
  .catch(undefined);

/** More items are not read: each field of another shape costs time. */
const MAX_INHERITED = 20_000;

/** Each field is read by itself, so that one of another shape does not lose the others. An item that is no object has no fields. */
const InheritedItem = flattened({
  name: Text,
  value: Text,
  hidden: z.boolean().optional().catch(undefined),
  services: Services,
  created_at: Text,
  updated_at: Text,
})
  .catch({ services: undefined })
  .transform(({ name, value, hidden, services, created_at, updated_at }): InheritedVar => ({
    ...(name !== undefined && { name }),
    ...(value !== undefined && { value }),
    ...(hidden !== undefined && { hidden }),
    ...(services !== undefined && { services }),
    ...(created_at !== undefined && { createdAt: created_at }),
    ...(updated_at !== undefined && { updatedAt: updated_at }),
  }));

function firstOnes(items: unknown): unknown {
  return Array.isArray(items) ? items.slice(0, MAX_INHERITED) : items;
}

/** `included` of a list of variables; absent, null or of another shape, it holds nothing. */
const Included = z
  .object({ inherited: z.preprocess(firstOnes, z.array(InheritedItem)).catch([]) })
  .catch({ inherited: [] })
  .transform(({ inherited }): readonly InheritedVar[] => inherited);

const ListAnswer = z.object({
  data: listOf(EnvVarAnswer),
  included: Included,
});

const UpsertAnswer = z.object({
  data: listOf(EnvVarAnswer),
  errors: listOf(z.object({ name: z.string().nullish(), error: z.unknown() })).nullish(),
});

/** Reads, writes and deletes environment variables. */
export class EnvVars {
  readonly #transport: Transport;
  readonly #titles: EnvironmentTitles;

  constructor(transport: Transport, titles: EnvironmentTitles) {
    this.#transport = transport;
    this.#titles = titles;
  }

  /** The variables of an environment; throws NotFoundError. */
  async list(id: string, call: CallOptions = {}): Promise<EnvVarList> {
    const { data, included } = await this.#transport.read(
      {
        description: `read the variables of environment ${this.#titles.of(id)}`,
        method: "GET",
        path: environmentPath(id, "/env-vars"),
        repeatable: true,
        ...call,
      },
      ListAnswer,
    );
    return { variables: data, inherited: included };
  }

  /** Creates or updates variables by name with one request; what the service did not store is in `failed`. */
  async upsert(id: string, variables: readonly EnvVarWrite[], call: CallOptions = {}): Promise<UpsertResult> {
    const sentValues = variables.map(({ value }) => value);
    this.#transport.remember(variables.filter(({ hidden }) => hidden).map(({ value }) => value));
    const { data, errors } = await this.#transport.read(
      {
        description: `write ${variables.length === 1 ? "a variable" : `${variables.length} variables`} of environment ${this.#titles.of(id)}`,
        method: "PUT",
        path: environmentPath(id, "/env-vars"),
        body: { env_vars: variables.map(toWire) },
        repeatable: true,
        sentValues,
        ...call,
      },
      UpsertAnswer,
    );
    const hide = this.#transport.redactorFor(sentValues);
    const failed = (errors ?? []).map(({ name, error }) => ({
      ...(typeof name === "string" && { name }),
      reason: typeof error === "string" ? displayable(error, hide) : "the service gave no reason",
    }));
    return { stored: data, failed };
  }

  /**
   * Deletes a variable; throws NotFoundError when it, or the environment, does not exist (any more), and ResponseShapeError
   * for an answer that a gateway or proxy may have given in the service's place.
   */
  async delete(id: string, name: string, call: CallOptions = {}): Promise<void> {
    const variable = path`/env-vars/${name}`;
    await this.#transport.send({
      description: `delete variable ${encodeURIComponent(name)} of environment ${this.#titles.of(id)}`,
      method: "DELETE",
      path: environmentPath(id, variable),
      repeatable: true,
      success: DELETED,
      ...call,
    });
  }
}

/** `hidden` and `services` are always sent, so that no default of the service decides who can read a value. */
function toWire({ name, value, hidden, services }: EnvVarWrite): object {
  return { name, value, hidden, services: services.length === 0 ? null : services };
}
