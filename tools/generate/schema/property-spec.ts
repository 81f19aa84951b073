/** The type of a property in a Pulumi schema: a primitive, a list, a map, or a `$ref`. */
export interface TypeSpec {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
  /** What a program passes here cannot be an Output; what is within it can. */
  readonly plain?: boolean;
}

/** One property in a Pulumi schema. */
export interface PropertySpec extends TypeSpec {
  readonly description?: string;
  readonly default?: unknown;
  readonly defaultInfo?: { readonly environment: readonly string[] };
  readonly secret?: boolean;
  readonly willReplaceOnChanges?: boolean;
}

/** Named properties in a Pulumi schema. */
export type PropertySpecs = Readonly<Record<string, PropertySpec>>;

/** Properties or settings by name, in their order. */
export function record<T extends { readonly name: string }>(
  all: readonly T[],
  toSpec: (one: T) => PropertySpec,
): PropertySpecs {
  return Object.fromEntries(all.map((one) => [one.name, toSpec(one)]));
}

/** An object, or the arguments or the answer of a function, in a Pulumi schema. */
export interface ObjectSpec {
  readonly description?: string;
  readonly type: "object";
  readonly properties: PropertySpecs;
  readonly required: readonly string[];
}

/** One value of an enum in a Pulumi schema. */
export interface EnumMember {
  readonly name: string;
  readonly value: string;
  readonly description: string;
}

/** An enum in a Pulumi schema. */
export interface EnumSpec {
  readonly description: string;
  readonly type: "string";
  readonly enum: readonly EnumMember[];
}
