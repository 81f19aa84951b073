declare module "js-yaml" {
  /** The value of a YAML document. @throws YAMLException */
  export function load(text: string): unknown;
}
