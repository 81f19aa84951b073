// Generated from provider/src/env-vars/env-var-set.ts by `npm run generate`. Do not edit.

import type * as pulumi from "@pulumi/pulumi";
import { PreviewenvResource } from "../runtime/resource";

/** What a program passes to {@link EnvVarSet}. */
export interface EnvVarSetArgs {
  /** The environment, by its UUID. Changing it replaces the resource. */
  environmentId: pulumi.Input<string>;
  /**
   * Visible variables, value by name, such as `LOG_LEVEL` with the value `debug`. The service's dashboard shows
   * these values. They are sent with `hidden: false`. A name that is removed from the program is deleted on the
   * service. With `previewenv.existing()` (outside of TypeScript: the text `previewenv:existing:v1`) as its value, a
   * variable keeps the value that the service has.
   */
  variables?: pulumi.Input<{ [key: string]: pulumi.Input<string> }>;
  /**
   * Hidden variables, value by name, such as `DATABASE_URL`. The service masks these values. They are sent with
   * `hidden: true`. A name that is removed from the program is deleted on the service. With `previewenv.existing()`
   * (outside of TypeScript: the text `previewenv:existing:v1`) as its value, a variable keeps the value that the
   * service has. Always a Pulumi secret.
   */
  secrets?: pulumi.Input<{ [key: string]: pulumi.Input<string> }>;
  /** Services that see the variables of this set, such as `web`, in any order. Left out or empty: every service. */
  services?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Services of single variables for which `services` is not right, by the name of the variable, such as
   * `FEATURE_CHECKOUT` with the list of `web`. An empty list means every service. Each name must be declared in
   * `variables` or `secrets`.
   */
  scopes?: pulumi.Input<{ [key: string]: pulumi.Input<pulumi.Input<string>[]> }>;
  /**
   * What happens when the environment already has a declared variable with another value, visibility or services. A
   * variable that already matches is taken over in both cases. `fail`: The `up` fails before any write. The error
   * names all such variables. `overwrite`: The variables are written as the program declares them.
   * @default "fail"
   */
  onConflict?: pulumi.Input<"fail" | "overwrite"> | undefined;
  /**
   * `true`: an update also deletes the variables of the environment that this set does not declare. A refresh must
   * have seen them, and a preview must have named them. A create deletes nothing.
   * @default false
   */
  prune?: pulumi.Input<boolean> | undefined;
  /**
   * With `prune`: names that are not deleted, as globs (`SYSTEM_*`). A pattern must match the whole name, with the
   * same upper and lower case letters. `*` matches any characters or none, `?` one character, `[abc]` or `[a-z]` one
   * of these, `{A,B}` either text. After a backslash, a character stands for itself. No pattern can begin with `!`.
   */
  keep?: pulumi.Input<pulumi.Input<string>[]>;
  /** Any change of this map, such as another value of `rotated`, writes every variable of the set again. */
  triggers?: pulumi.Input<{ [key: string]: pulumi.Input<string> }>;
}

/**
 * Many environment variables of one environment, as one resource. A write costs one request for each batch of
 * variables, and a refresh costs one request. When a name is removed from `variables` or `secrets`, the next `up`
 * deletes that variable on the service, and a destroy deletes all variables of the set. Those with `existing()` as
 * the value stay. Variables of the environment that were never in the set stay as they are, unless `prune` is
 * `true`.
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#envvarset}
 * @example
 * ```typescript
 * import * as pulumi from "@pulumi/pulumi";
 * import * as previewenv from "pulumi-previewenv";
 *
 * const config = new pulumi.Config();
 * new previewenv.EnvVarSet("vars", {
 *   environmentId: "11111111-1111-4111-8111-111111111142",
 *   variables: { LOG_LEVEL: "debug", FEATURE_CHECKOUT: "on" },
 *   secrets: { DATABASE_URL: config.requireSecret("databaseUrl") },
 *   services: ["web", "worker"],
 *   scopes: { FEATURE_CHECKOUT: ["web"] },
 * });
 * ```
 */
export class EnvVarSet extends PreviewenvResource {
  /** The environment, by its UUID. */
  declare public readonly environmentId: pulumi.Output<string>;
  /**
   * Visible variables, value by name, such as `LOG_LEVEL` with the value `debug`. The service's dashboard shows
   * these values. They are sent with `hidden: false`. A name that is removed from the program is deleted on the
   * service. With `previewenv.existing()` (outside of TypeScript: the text `previewenv:existing:v1`) as its value, a
   * variable keeps the value that the service has.
   */
  declare public readonly variables: pulumi.Output<{ [key: string]: string } | undefined>;
  /**
   * Hidden variables, value by name, such as `DATABASE_URL`. The service masks these values. They are sent with
   * `hidden: true`. A name that is removed from the program is deleted on the service. With `previewenv.existing()`
   * (outside of TypeScript: the text `previewenv:existing:v1`) as its value, a variable keeps the value that the
   * service has.
   */
  declare public readonly secrets: pulumi.Output<{ [key: string]: string } | undefined>;
  /** Services that see the variables of this set, such as `web`, in any order. Left out or empty: every service. */
  declare public readonly services: pulumi.Output<string[] | undefined>;
  /**
   * Services of single variables for which `services` is not right, by the name of the variable, such as
   * `FEATURE_CHECKOUT` with the list of `web`. An empty list means every service. Each name must be declared in
   * `variables` or `secrets`.
   */
  declare public readonly scopes: pulumi.Output<{ [key: string]: string[] } | undefined>;
  /**
   * What happens when the environment already has a declared variable with another value, visibility or services. A
   * variable that already matches is taken over in both cases. `fail`: The `up` fails before any write. The error
   * names all such variables. `overwrite`: The variables are written as the program declares them.
   */
  declare public readonly onConflict: pulumi.Output<"fail" | "overwrite">;
  /**
   * `true`: an update also deletes the variables of the environment that this set does not declare. A refresh must
   * have seen them, and a preview must have named them. A create deletes nothing.
   */
  declare public readonly prune: pulumi.Output<boolean>;
  /**
   * With `prune`: names that are not deleted, as globs (`SYSTEM_*`). A pattern must match the whole name, with the
   * same upper and lower case letters. `*` matches any characters or none, `?` one character, `[abc]` or `[a-z]` one
   * of these, `{A,B}` either text. After a backslash, a character stands for itself. No pattern can begin with `!`.
   */
  declare public readonly keep: pulumi.Output<string[] | undefined>;
  /** Any change of this map, such as another value of `rotated`, writes every variable of the set again. */
  declare public readonly triggers: pulumi.Output<{ [key: string]: string } | undefined>;
  /**
   * A text that changes whenever this set has written or deleted something. Give it to `rebuildOn` of an
   * EnvironmentBranches. For a set from `get`, it changes whenever a variable is added, deleted or changed. It says
   * nothing about values.
   */
  declare public readonly revision: pulumi.Output<string>;

  /**
   * Looks at one that exists and is managed elsewhere: nothing is written, nothing deleted. `id` is what an import
   * takes: `<environmentId>` or `<environmentId>?names=A,B`. With `state` it is looked at as if these were its
   * inputs. Without `state`, its inputs are what an import would find.
   */
  public static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: Partial<EnvVarSetArgs>,
    opts?: pulumi.CustomResourceOptions,
  ): EnvVarSet {
    return Reflect.construct(this, [name, { ...state }, { ...opts, id }]);
  }

  /** @throws pulumi.RunError for arguments that cannot work */
  constructor(name: string, args: EnvVarSetArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "EnvVarSet",
      name,
      args,
      {
        outputs: [
          "environmentId",
          "variables",
          "secrets",
          "services",
          "scopes",
          "onConflict",
          "prune",
          "keep",
          "triggers",
          "revision",
        ],
        kinds: {
          environmentId: "required",
          variables: "map",
          secrets: "map",
          services: "list",
          scopes: "map",
          onConflict: "default",
          prune: "default",
          keep: "list",
          triggers: "map",
        },
        secrets: ["secrets"],
        internals: ["observed"],
        exclusive: { kind: "variables", names: ["variables", "secrets"], deletesOthers: "prune" },
        visibleInput: { name: "variables", advice: "use `secrets`" },
      },
      opts,
    );
  }
}
