import * as pulumi from "@pulumi/pulumi";
import type { InputKinds } from "../../../provider/src/framework/missing-value-text";
import type { ResourceFacts } from "../../../provider/src/framework/resource-facts";
import { visibleInputOf } from "../../../provider/src/framework/visible-inputs";
import {
  dynamicHost,
  propertiesForGet,
  type Host,
  hostBookkeeping,
  hostProperties,
  propertiesForCheck,
  refuseDynamic,
  refuseForeignProvider,
} from "./host";
import { checkArgs, markSecrets } from "./checked-arguments";
import { declare } from "./declarations";
import { failing } from "./program-failure";
import { providerOf, serviceOf, warnOfConfig } from "./provider";

/** The facts of a resource type that its generated class has. */
export interface ClassFacts extends ResourceFacts {
  /** Every output that a program can read, inputs among them: the SDK makes Outputs of the names it is given, set or not. */
  readonly outputs: readonly string[];
  /** Which inputs may be missing, and in which way. */
  readonly kinds: InputKinds;
}

/** Base of every resource class of both entries of the package. */
export abstract class PreviewenvResource extends pulumi.CustomResource {
  /** The provider of this class's resources. The classes of `pulumi-previewenv/native` have another one. */
  protected static readonly host: Host = dynamicHost;

  /**
   * @param type name of the type, such as `EnvVarSet`
   * @throws pulumi.RunError for arguments and options that cannot work
   */
  protected constructor(
    type: string,
    name: string,
    args: object,
    facts: ClassFacts,
    opts: pulumi.CustomResourceOptions = {},
  ) {
    const { host } = new.target;
    const label = `${type} ${JSON.stringify(name)}`;
    if (host.plugin === undefined) refuseDynamic(label, opts);
    refuseForeignProvider(label, host, opts.provider);
    const checked = checkArgs(label, args, facts.kinds);
    const engineType = host.typePrefix + type;
    const declarer = { label, identity: identify(engineType, name, opts.parent) };
    const visible = visibleInputOf(facts, checked.args)?.name;
    const secrets = facts.secrets.filter((input) => input !== visible);
    // With an `id` the program only looks at a resource that something else manages.
    const isDeclared = opts.id === undefined;
    const props = {
      ...Object.fromEntries(facts.outputs.map((property) => [property, undefined])),
      ...markSecrets(checked, secrets),
      ...hostProperties(host, type),
      ...(isDeclared
        ? propertiesForCheck(host, declarer, facts, checked.args)
        : propertiesForGet(host, facts, checked.args)),
    };
    const own = {
      // A stack can change its host without replacements.
      aliases: [{ type: host.otherPrefix + type }],
      hideDiffs: [...hostBookkeeping(host), ...facts.internals],
      // The program does not pass the inputs of a resource that it gets by id, so it cannot mark them.
      additionalSecretOutputs: isDeclared || host.plugin !== undefined ? [] : secrets,
    };
    if (isDeclared && facts.exclusive !== undefined)
      declare(facts.exclusive, declarer, serviceOf(providerOf(host, opts)), checked.args);
    super(engineType, name, props, pulumi.mergeOptions({ ...host.plugin, ...opts }, own));
    // When an input fails, the resource is not registered, and these are rejections that a later use would handle too late.
    for (const output of Object.values(this)) if (pulumi.Output.isInstance(output)) failing(output);
    warnOfConfig(host);
  }
}

const STACK_TYPE = "pulumi:pulumi:Stack";

/**
 * The identity of a resource for the engine, as in a URN: the types of all parents but the stack, its own type, and its name.
 */
function identify(type: string, name: string, parent: unknown): string {
  const types = [type];
  // Not part of the SDK's types. Its own URNs come from them.
  for (let above = parent; pulumi.Resource.isInstance(above); above = Reflect.get(above, "__parentResource"))
    types.unshift(String(Reflect.get(above, "__pulumiType")));
  return `${types.filter((above) => above !== STACK_TYPE).join("$")}::${name}`;
}
