import * as pulumi from "@pulumi/pulumi";
import { type ProviderArgs, settings } from "../generated/provider-args";
import { stackConfig } from "./stack-config";

/** Settings by name, as text. What is not set is absent. */
export type GivenSettings = Readonly<Record<string, string | undefined>>;

/** The settings that are given, and those of stack config for the others. Secret ones are secret, wherever from. */
export function settingsFrom(args: ProviderArgs): Record<string, pulumi.Output<string | undefined>> {
  const config = stackConfig();
  const found = settings.flatMap(({ name, secret }) => {
    const given = args[name];
    const fallback = config.get(name);
    if (given === undefined && fallback === undefined) return [];
    const text = pulumi.output(given).apply((value) => (isSet(value) ? String(value) : fallback));
    return [[name, secret ? pulumi.secret(text) : text] as const];
  });
  return Object.fromEntries(found);
}

function isSet(value: string | number | boolean | undefined): boolean {
  return value !== undefined && value !== null && value !== "";
}
