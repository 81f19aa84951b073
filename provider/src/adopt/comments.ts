import type { Adoption } from "./adoption";

/** The comment at the top of a program, line by line. */
export function headerLines({ title, leftOut }: Adoption): readonly string[] {
  return [
    `${title}, as pulumi-previewenv found it: the first \`pulumi up\``,
    "writes nothing to the service. It starts a build only if the newest one has failed.",
    ...leftOut.map((text) => `Not declared: ${text}.`),
  ];
}

/**
 * The comment that says how a program takes over the first hidden value. No value is written into the program: it lies in version control.
 * @param place What the command has before the value's key, in the program's language.
 * @param steps What follows the command that asks for the value, in the program's language.
 */
export function takeOverLines({ hidden }: Adoption, place: string, steps: readonly string[]): readonly string[] {
  const [configKey] = hidden.values();
  if (configKey === undefined) return [];
  return [
    "The service hides these values, and keeps them. To manage the first one here:",
    `1. Run \`pulumi config set ${place}${configKey}\`, which asks for the value.`,
    ...steps,
    "The next `pulumi up` sends the value. Write no secret into this file.",
  ];
}
