const PAGE = "https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/guides/troubleshooting.md";

/** For the end of an error: where the page says more about it. tests/documented.spec.ts has the parts of the page. */
export function see(anchor: string): string {
  return `See ${PAGE}#${anchor}.`;
}
