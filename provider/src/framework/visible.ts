import type { Properties } from "./properties";

/** A property whose value the service shows to everybody who can open its dashboard, and what to do about it. */
export interface Visible {
  readonly property: string;
  readonly advice: string;
  /** Generated SDKs mark it whatever the program passes, so that only the program itself can tell. */
  readonly isMarkedBySdks: boolean;
}

const visible: ReadonlyMap<string, (inputs: Properties) => Visible | undefined> = new Map<
  string,
  (inputs: Properties) => Visible | undefined
>([
  ["EnvVarSet", () => ({ property: "variables", advice: "use `secrets`", isMarkedBySdks: false })],
  [
    "EnvVar",
    ({ hidden }: Properties) =>
      hidden === false ? { property: "value", advice: "leave out `hidden`", isMarkedBySdks: true } : undefined,
  ],
]);

/** The property of a resource that the service shows; `undefined` when there is none. */
export function visibleProperty(type: string, inputs: Properties): Visible | undefined {
  return visible.get(type)?.(inputs);
}

/** The warning about Pulumi secrets in such a place; `what` is like `EnvVarSet "vars": variables.TOKEN`. */
export function visibleWarning(what: string, advice: string, count: number = 1): string {
  const [are, them] = count === 1 ? ["is a Pulumi secret", "it"] : ["are Pulumi secrets", "them"];
  return `${what} ${are}, and the service shows ${them} to everybody who can open the dashboard; ${advice}.`;
}
