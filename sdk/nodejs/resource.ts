import * as pulumi from "@pulumi/pulumi";
import { requireDynamicEntry } from "./dynamic-entry";
import { checkArgs, type Given, protect, warnVisible } from "./inputs";
import { register } from "./registry";
import { warnPlainToken } from "./stack-config";

/** What a generated class knows about its resource type. */
export interface ResourceFacts {
  /** Outputs that are not inputs. */
  readonly computed: readonly string[];
  /** Inputs that are secret, whatever the program passes; the entries of a map one by one. */
  readonly secrets: readonly string[];
  /** An input that takes the secrecy away when it is literally `false`. */
  readonly secretUnlessFalse?: string;
  /** Outputs that are bookkeeping; not shown in diffs. */
  readonly internals: readonly string[];
}

/**
 * Base of every resource class. The provider is not captured in the program: state holds one constant line, which loads
 * the installed package. That line is a promise to every state file ever written and never changes.
 */
export abstract class PreviewenvResource extends pulumi.CustomResource {
  /**
   * @param type name of the type, such as `EnvVarSet`
   * @throws pulumi.RunError for arguments that cannot work, and when the provider process would not find the package
   */
  protected constructor(
    type: string,
    name: string,
    args: object,
    facts: ResourceFacts,
    opts: pulumi.CustomResourceOptions = {},
  ) {
    const label = `${type} ${JSON.stringify(name)}`;
    requireDynamicEntry();
    const given = checkArgs(label, args);
    const props = {
      ...Object.fromEntries(facts.computed.map((property) => [property, undefined])),
      ...protect(given, isOpen(facts, given) ? [] : facts.secrets),
      __provider: `exports.handler = () => require("pulumi-previewenv/dynamic").provider("${type}");`,
    };
    const own = {
      // The native provider's type: a stack may move between the two without replacing anything.
      aliases: [{ type: `previewenv:index:${type}` }],
      hideDiffs: ["__provider", ...facts.internals],
    };
    // With an `id` the program only looks at a resource that something else manages.
    if (opts.id === undefined) register(type, { label, identity: identify(label, opts.parent) }, given);
    super(`pulumi-nodejs:dynamic/previewenv:${type}`, name, props, pulumi.mergeOptions(opts, own));
    warnPlainToken();
    warnVisible(label, type, given);
  }
}

/** The engine tells resources apart by type and name, and by the types of their parents. */
function identify(label: string, parent: pulumi.Resource | undefined): string {
  return `${parent?.constructor.name ?? ""}/${label}`;
}

/** Whether the program says literally that its value may be seen. */
function isOpen({ secretUnlessFalse }: ResourceFacts, args: Given): boolean {
  return secretUnlessFalse !== undefined && args[secretUnlessFalse] === false;
}
