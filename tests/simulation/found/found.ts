import type { History } from "../history";

/** A history that once broke a promise. */
export interface Found {
  readonly title: string;
  readonly history: History;
}
