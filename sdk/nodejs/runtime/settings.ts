import * as pulumi from "@pulumi/pulumi";
import { settings } from "../generated/provider-args";
import { handled } from "./handled";
import { stackConfig } from "./stack-config";

/** Settings by name, as text. What is not set is absent. */
export type GivenSettings = Readonly<Record<string, string | undefined>>;

/** The settings that are given, and those of stack config for the others. Secret ones are secret, wherever from. */
export function settingsFrom(
  args: Readonly<Record<string, unknown>>,
): Record<string, pulumi.Output<string | undefined>> {
  const config = stackConfig();
  const found = settings.flatMap(({ name, secret }) => {
    const given = args[name];
    const fallback = config.get(name);
    if (given === undefined && fallback === undefined) return [];
    const text = given === undefined ? pulumi.output(fallback) : handled(pulumi.output(given)).apply(String);
    return [[name, secret ? handled(pulumi.secret(text)) : text] as const];
  });
  return Object.fromEntries(found);
}
