import { type Claim, type Holder, parts, DuplicateDeclarations } from "../../framework/duplicate-declarations";
import { isMap, isUnknown, type Properties } from "../../framework/properties";
import { nameOf } from "./resource";

/** What the resources of one run declare, to refuse what two of them cannot both have. */
export class Declarations {
  readonly #claims = new DuplicateDeclarations();

  /**
   * Notes what a resource declares. Returns why it cannot stand beside others that were checked before. The engine
   * checks a resource again when it replaces it; that is the same resource.
   */
  add(type: string, urn: string, inputs: Properties): string | undefined {
    const part = parts.get(type);
    const environmentId = inputs["environmentId"];
    // What a preview does not know yet may turn out to be anything.
    if (part === undefined || typeof environmentId !== "string" || isUnknown(environmentId)) return undefined;
    const environment = this.#claims.of(environmentId);
    const { always, single, maps = [], prune } = part;
    const names = [
      ...(single === undefined ? [] : [inputs[single]]),
      ...maps.flatMap((map) => namesOf(inputs[map])),
    ].filter((name): name is string => typeof name === "string" && !isUnknown(name));
    const claims: readonly Claim[] = [
      ...always,
      ...(prune !== undefined && inputs[prune] === true ? [{ kind: "prune" } as const] : []),
      ...names.map((name) => ({ kind: "variable", name }) as const),
    ];
    const holder: Holder = { label: `${type} ${JSON.stringify(nameOf(urn))}`, identity: urn };
    return claims.map((claim) => environment.add(claim, holder)).find((conflict) => conflict !== undefined);
  }
}

function namesOf(value: unknown): readonly string[] {
  return isMap(value) ? Object.keys(value) : [];
}
