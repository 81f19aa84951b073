import * as z from "zod";

const Report = z.object({
  metadata: z.object({ vulnerabilities: z.object({ total: z.int() }) }),
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string() })),
});
const Failure = z.object({ message: z.string(), error: z.unknown() });

/** What an audit came to: a text for people, and the exit code. */
export interface Verdict {
  readonly text: string;
  readonly exitCode: 0 | 1;
}

/**
 * Reads what `npm audit --json` printed. A registry that has no audit endpoint, or is out of reach, fails nothing: mirrors
 * often have none. What is no answer of npm at all does.
 */
export function judge(output: string): Verdict {
  const json: unknown = JSON.parse(output);
  const report = Report.safeParse(json);
  if (!report.success) {
    const { message } = Failure.parse(json);
    return { text: `Nothing was checked, the registry does not audit: ${message.split(/ - |\n/u)[0]}`, exitCode: 0 };
  }
  const found = Object.entries(report.data.vulnerabilities).map(([name, { severity }]) => `${name} (${severity})`);
  if (report.data.metadata.vulnerabilities.total === 0 && found.length === 0)
    return { text: "No known vulnerability in what is installed with the package.", exitCode: 0 };
  return { text: `Known vulnerabilities: ${found.toSorted().join(", ")}. Update them.`, exitCode: 1 };
}
