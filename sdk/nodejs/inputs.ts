import * as pulumi from "@pulumi/pulumi";
import type * as Visible from "../../provider/src/core/visible";

/** A resource's arguments as the program passed them, by name. */
export type Given = Readonly<Record<string, unknown>>;

/** Whether a value is a plain map: no list, no Output, no Promise. */
export function isPlainMap(value: unknown): value is Given {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !pulumi.Output.isInstance(value) &&
    !(value instanceof Promise)
  );
}

/**
 * The arguments, when the SDK can carry them to the provider.
 * @throws pulumi.RunError for arguments that are no object, a map with a name that JavaScript would lose, and an
 * undefined value in a map, which the SDK would leave out without a word
 */
export function checkArgs(label: string, args: unknown): Given {
  if (!isPlainMap(args)) throw new pulumi.RunError(`${label}: the second argument must be an object.`);
  for (const [property, value] of Object.entries(args)) if (isPlainMap(value)) checkMap(label, property, value);
  return args;
}

function checkMap(label: string, property: string, map: Given): void {
  refuseProto(label, property, map);
  for (const [name, value] of Object.entries(map))
    if (value === undefined)
      throw new pulumi.RunError(
        `${label}: ${property}.${name} is undefined. Give it a value, or leave the name out ` +
          "(a missing environment variable of the program is a usual cause).",
      );
}

/** Refuses the one name that the Pulumi SDK drops on its way to the provider. */
export function refuseProto(label: string, property: string, map: object): void {
  if (Object.hasOwn(map, "__proto__"))
    throw new pulumi.RunError(
      `${label}: ${property} has an entry named "__proto__", which the Pulumi SDK cannot carry. Choose another name.`,
    );
}

/** The arguments with the secret ones marked: a plain map entry by entry, so that a diff can name what changes. */
export function protect(args: Given, secrets: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, printable(secrets.includes(name) ? toSecret(value) : value)]),
  );
}

/** The SDK turns a plain map into a string on its way, and fails when an entry takes the place of `toString`. */
function printable(value: unknown): unknown {
  return isPlainMap(value) && Object.hasOwn(value, "toString") ? pulumi.output(value) : value;
}

function toSecret(value: unknown): unknown {
  if (value === undefined || value === null) return value;
  if (!isPlainMap(value)) return pulumi.secret(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, pulumi.secret(one)]));
}

/**
 * Warns of Pulumi secrets that the service would show. State keeps them encrypted; the dashboard does not. A host that is
 * told which values are secret warns by itself where it can tell.
 */
export function warnVisible(label: string, type: string, args: Given, hostWarns: boolean): void {
  // Loading the package stays cheap: nothing of the provider until a resource is made.
  const { visibleProperty, visibleWarning }: typeof Visible = require("../../provider/src/core/visible");
  const shown = visibleProperty(type, args);
  if (shown === undefined || (hostWarns && !shown.isMarkedBySdks)) return;
  const { property, advice } = shown;
  const value = args[property];
  const suspects: readonly (readonly [string, unknown])[] = isPlainMap(value)
    ? Object.entries(value).map(([name, one]) => [`${property}.${name}`, one])
    : [[property, value]];
  for (const [path, one] of suspects)
    if (pulumi.Output.isInstance(one)) warnIfSecret(one, visibleWarning(`${label}: ${path}`, advice));
}

function warnIfSecret(value: pulumi.Output<unknown>, text: string): void {
  // Without the resource as origin: all messages of the program would wait until it is registered, and fail with it.
  const warn = (secret: boolean): Promise<void> => (secret ? pulumi.log.warn(text) : Promise.resolve());
  // Whether it is a secret is unknown only when its computation failed, which the resource itself reports.
  pulumi
    .isSecret(value)
    .then(warn)
    .catch(() => undefined);
}
