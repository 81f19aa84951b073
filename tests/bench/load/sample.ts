import type { Shape } from "./plan";

/** What one operation with that many variables cost. */
export interface LoadSample {
  readonly shape: Shape;
  readonly size: number;
  readonly operation: string;
  readonly cpuMs: number;
  readonly wallMs: number;
  /** Largest memory of the provider process so far. */
  readonly peakBytes: number;
  readonly requests: number;
  /** Most variables that a PUT carried. */
  readonly mostInRequest: number;
}
