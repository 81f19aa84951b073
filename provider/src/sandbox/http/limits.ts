/** Numbers the specification fixes ("Limits"), and those the sandbox had to choose. */
export const limits = {
  /** "default page_size: 20" */
  defaultPageSize: 20,
  /** "default page: 1" */
  firstPage: 1,
  /** "size limits: not shown": larger request bodies are answered with 413. */
  bodyBytes: 10 * 1024 * 1024,
  /** How long an idle connection is kept. Longer than any client keeps one, so that the client closes first. */
  keepAliveMs: 75_000,
  /** Longest delay a fault may ask for. */
  faultDelayMs: 10 * 60 * 1000,
} as const;
