import * as z from "zod";
import { IdText, itemOf } from "./answer";
import { type CallOptions, environmentPath, path } from "./call";
import { displayable, undocumentedAnswerText } from "./error-text";
import { ResponseShapeError } from "./errors";
import { linkedPages, Links } from "./pages";
import type { Transport } from "./transport";

/** The services that see a variable. Null means every service, as an empty list does. */
const Services = z
  .array(z.string())
  .readonly()
  .nullable()
  .transform((services) => services ?? []);

const EnvVarItem = itemOf({
  id: IdText.nullish(),
  name: z.string(),
  /** Masked by the service when `hidden` is true. */
  value: z.string(),
  hidden: z.boolean(),
  /** Empty: every service. */
  services: Services.optional().transform((services) => services ?? []),
  /** `YYYY-MM-DDTHH:MM:SS` without zone. */
  created_at: IdText.nullish(),
  /** `YYYY-MM-DDTHH:MM:SS` without zone. */
  updated_at: IdText.nullish(),
});

/** An environment variable as the service answers it. */
export type EnvVar = z.output<typeof EnvVarItem>;

/** An environment variable to be written. */
export interface EnvVarWrite {
  readonly name: string;
  readonly value: string;
  readonly hidden: boolean;
  /** Empty: every service. */
  readonly services: readonly string[];
}

/** A variable that was not written. */
export interface EnvVarFailure {
  /** Absent when the service does not say which one. */
  readonly name?: string;
  /** The service's text, ready for display: the values that were sent are taken out. "" when it gives none. */
  readonly reason: string;
}

/** The variables that were written, and those that were not. */
export interface UpsertResult {
  /** In any order. May hold variables that were not sent. */
  readonly written: readonly EnvVar[];
  readonly failed: readonly EnvVarFailure[];
}

/** An environment's own variables, and those it inherits. */
export interface EnvVarList {
  readonly variables: readonly EnvVar[];
  /** One for each item, with the fields that could be read. */
  readonly inherited: readonly InheritedVar[];
}

const Text = z.string().optional().catch(undefined);

/** Each field is read by itself, so that one of another shape does not lose the others. An item that is no object has no fields. */
const InheritedItem = itemOf({
  name: Text,
  /** As the service gives it. It is known to be no secret only when `hidden` is false. */
  value: Text,
  hidden: z.boolean().optional().catch(undefined),
  /** Empty: every service. In a write, null means the same. */
  services: Services.optional().catch(undefined),
  created_at: Text,
  updated_at: Text,
}).catch({});

/** An inherited variable, as far as it can be read: the specification does not show what these items hold. */
export type InheritedVar = z.output<typeof InheritedItem>;

/** `included` of a list of variables. Absent, null or of another shape, it holds nothing. */
const Included = z.object({ inherited: z.array(InheritedItem).readonly().catch([]) }).catch({ inherited: [] });

const ListAnswer = z.object({
  data: z.array(EnvVarItem).readonly(),
  included: Included,
  links: Links.nullish().catch(undefined),
});

/** A variable that was not written. An item of another shape tells no more than that one was not. */
const Failed = z.object({ name: z.string().nullish(), error: z.unknown().optional() }).catch({});

const UpsertAnswer = z.object({
  data: z.array(EnvVarItem).readonly(),
  errors: z.array(Failed).nullish(),
});

/** Reads, writes and deletes environment variables. */
export class EnvVars {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The variables of an environment. Throws NotFoundError, and ResponseShapeError when they are not all of them. */
  async list(id: string, call: CallOptions = {}): Promise<EnvVarList> {
    const description = `read the variables of environment ${this.#transport.titleOf(id)}`;
    const { data, included, links } = await this.#transport.read(
      {
        description,
        method: "GET",
        path: environmentPath(id, "/env-vars"),
        repeatable: true,
        ...call,
      },
      ListAnswer,
    );
    // The specification shows no pages here. What stands on a second one must not pass for deleted.
    if (linkedPages(links).next !== undefined)
      throw new ResponseShapeError(undocumentedAnswerText(description, "the list has a second page."));
    return { variables: data, inherited: included.inherited };
  }

  /** Creates or updates variables by name with one request. Variables that were not written are in `failed`. */
  async upsert(id: string, variables: readonly EnvVarWrite[], call: CallOptions = {}): Promise<UpsertResult> {
    const sentValues = variables.map(({ value }) => value);
    this.#transport.remember(variables.filter(({ hidden }) => hidden).map(({ value }) => value));
    const { data, errors } = await this.#transport.read(
      {
        description: `write ${variables.length === 1 ? "a variable" : `${variables.length} variables`} of environment ${this.#transport.titleOf(id)}`,
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
      reason: typeof error === "string" ? displayable(error, hide) : "",
    }));
    return { written: data, failed };
  }

  /**
   * Deletes a variable. Throws NotFoundError when it, or the environment, does not exist (any more), and ResponseShapeError
   * for an answer that a gateway or proxy may have given in the service's place.
   */
  async delete(id: string, name: string, call: CallOptions = {}): Promise<void> {
    const variable = path`/env-vars/${name}`;
    await this.#transport.send({
      // Without the name: an outage has one text for all variables.
      description: `delete a variable of environment ${this.#transport.titleOf(id)}`,
      method: "DELETE",
      path: environmentPath(id, variable),
      repeatable: true,
      ...call,
    });
  }
}

/** `hidden` and `services` are always sent, so that no default of the service decides who can read a value. */
function toWire({ name, value, hidden, services }: EnvVarWrite): object {
  return { name, value, hidden, services: services.length === 0 ? null : services };
}
