import * as z from "zod";

const commands = z.array(z.string()).min(1);

/** A job, as far as GitLab's reference of CI/CD keywords allows it and the examples need it. */
const jobSchema = z.strictObject({
  image: z.string(),
  rules: z.array(z.strictObject({ if: z.string().regex(/^\$CI_[A-Z_]+ == "\w+"$/u) })).min(1),
  resource_group: z.string(),
  timeout: z.string().regex(/^\d+ (?:minutes|hours)$/u),
  allow_failure: z.strictObject({ exit_codes: z.int() }).optional(),
  variables: z.record(z.string().regex(/^[A-Z_]+$/u), z.string()).optional(),
  cache: z
    .strictObject({
      key: z.strictObject({ files: z.array(z.string()).min(1).max(2) }),
      paths: z.array(z.string()).min(1),
    })
    .optional(),
  before_script: commands,
  script: commands,
  artifacts: z
    .strictObject({
      when: z.enum(["on_success", "on_failure", "always"]),
      expose_as: z.string().regex(/^[\w -]{1,100}$/u),
      paths: z.array(z.string()).min(1),
    })
    .optional(),
});

/** The jobs of a pipeline for GitLab, by name. @throws for a key that GitLab does not know */
export function jobsOf(pipeline: unknown): Readonly<Record<string, z.output<typeof jobSchema>>> {
  return z.record(z.string(), jobSchema).parse(pipeline);
}
