// Generated from provider/src/env-vars/env-var.ts by `npm run generate`. Do not edit.

import type * as pulumi from "@pulumi/pulumi";
import { PreviewenvResource } from "../runtime/resource";

/** What a program passes to {@link EnvVar}. */
export interface EnvVarArgs {
  /** The environment, by its UUID. Changing it replaces the resource. */
  environmentId: pulumi.Input<string>;
  /** Name of the variable, such as `LOG_LEVEL`. Changing it replaces the resource. */
  name: pulumi.Input<string>;
  /**
   * Value of the variable. With `previewenv.existing()` (outside of TypeScript: the text `previewenv:existing:v1`)
   * it keeps the value that the service has: the variable must exist, and nothing deletes it. A Pulumi secret,
   * unless `hidden` is `false`.
   */
  value: pulumi.Input<string>;
  /**
   * Whether the service masks the value.
   * @default true
   */
  hidden?: pulumi.Input<boolean> | undefined;
  /** Services that see the variable, such as `web`, in any order. Left out or empty: every service. */
  services?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * What happens when the environment already has a declared variable with another value, visibility or services. A
   * variable that already matches is taken over in both cases. `fail`: The `up` fails before any write. The error
   * names all such variables. `overwrite`: The variables are written as the program declares them.
   * @default "fail"
   */
  onConflict?: pulumi.Input<"fail" | "overwrite"> | undefined;
}

/**
 * One environment variable of one environment. Removing the resource from the program deletes the variable on the
 * service, and so does a destroy, unless the value is `existing()`. One read refreshes all EnvVars of an
 * environment. Each is written by a request of its own. For many variables, an EnvVarSet needs fewer requests.
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#envvar}
 * @example
 * ```typescript
 * import * as pulumi from "@pulumi/pulumi";
 * import * as previewenv from "pulumi-previewenv";
 *
 * const config = new pulumi.Config();
 * new previewenv.EnvVar("database-url", {
 *   environmentId: "11111111-1111-4111-8111-111111111142",
 *   name: "DATABASE_URL",
 *   value: config.requireSecret("databaseUrl"),
 * });
 * ```
 */
export class EnvVar extends PreviewenvResource {
  /** The environment, by its UUID. */
  declare public readonly environmentId: pulumi.Output<string>;
  /** Name of the variable, such as `LOG_LEVEL`. */
  declare public readonly name: pulumi.Output<string>;
  /**
   * Value of the variable. With `previewenv.existing()` (outside of TypeScript: the text `previewenv:existing:v1`)
   * it keeps the value that the service has: the variable must exist, and nothing deletes it.
   */
  declare public readonly value: pulumi.Output<string>;
  /** Whether the service masks the value. */
  declare public readonly hidden: pulumi.Output<boolean>;
  /** Services that see the variable, such as `web`, in any order. Left out or empty: every service. */
  declare public readonly services: pulumi.Output<string[] | undefined>;
  /**
   * What happens when the environment already has a declared variable with another value, visibility or services. A
   * variable that already matches is taken over in both cases. `fail`: The `up` fails before any write. The error
   * names all such variables. `overwrite`: The variables are written as the program declares them.
   */
  declare public readonly onConflict: pulumi.Output<"fail" | "overwrite">;
  /** The service's id of the variable. */
  declare public readonly variableId: pulumi.Output<string | undefined>;
  /** When the variable was created: `YYYY-MM-DDTHH:MM:SS`, without zone. */
  declare public readonly createdAt: pulumi.Output<string | undefined>;
  /** When the variable was last changed: `YYYY-MM-DDTHH:MM:SS`, without zone. */
  declare public readonly updatedAt: pulumi.Output<string | undefined>;

  /**
   * Looks at one that exists and is managed elsewhere: nothing is written, nothing deleted. `id` is what an import
   * takes: `<environmentId>/<NAME>`. With `state` it is looked at as if these were its inputs. Without `state`, its
   * inputs are what an import would find.
   */
  public static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: Partial<EnvVarArgs>,
    opts?: pulumi.CustomResourceOptions,
  ): EnvVar {
    return Reflect.construct(this, [name, { ...state }, { ...opts, id }]);
  }

  /** @throws pulumi.RunError for arguments that cannot work */
  constructor(name: string, args: EnvVarArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "EnvVar",
      name,
      args,
      {
        outputs: [
          "environmentId",
          "name",
          "value",
          "hidden",
          "services",
          "onConflict",
          "variableId",
          "createdAt",
          "updatedAt",
        ],
        kinds: {
          environmentId: "required",
          name: "required",
          value: "required",
          hidden: "default",
          services: "list",
          onConflict: "default",
        },
        secrets: ["value"],
        secretUnlessFalse: "hidden",
        internals: [],
        exclusive: { kind: "variables", names: ["name"] },
        visibleInput: { name: "value", advice: "leave out `hidden`" },
      },
      opts,
    );
  }
}
