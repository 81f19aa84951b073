import { join } from "node:path";
import { ProjectFolder } from "../project-folder";
import type { Shape } from "./plan";
import type { LoadSample } from "./sample";
import { LoadService } from "./service";
import { loadVariables } from "./variables";

const PROGRAM = join(__dirname, "program.js");
const UP = ["up", "--yes", "--skip-preview"];
/** Commands of a stack's life; the generation is that of the values which the program declares. */
const LIFE: readonly {
  readonly operation: string;
  readonly command: readonly string[];
  readonly generation: number;
}[] = [
  { operation: "create", command: UP, generation: 0 },
  { operation: "no change", command: UP, generation: 0 },
  { operation: "refresh", command: ["refresh", "--yes", "--skip-preview"], generation: 0 },
  { operation: "change all", command: UP, generation: 1 },
  { operation: "destroy", command: ["destroy", "--yes", "--skip-preview"], generation: 1 },
];

/** How the CLI is run. */
export interface CliOptions {
  readonly signal: AbortSignal;
  /** Whether the engine writes state at the end only. */
  readonly skipCheckpoints: boolean;
}

/** The life of so many variables with the Pulumi CLI: engine, language host, program and provider together. */
export async function measureCli(shape: Shape, size: number, options: CliOptions): Promise<readonly LoadSample[]> {
  await using service = await LoadService.start();
  using folder = await ProjectFolder.create({ program: PROGRAM, env: service.env, ...options });
  const samples: LoadSample[] = [];
  for (const { operation, command, generation } of LIFE) {
    folder.declare({ shape, environmentId: service.environmentId, ...loadVariables(size, generation) });
    const { cpuMs, wallMs, providerBytes: peakBytes } = await folder.run(command);
    samples.push({ shape, size, operation, cpuMs, wallMs, peakBytes, ...service.traffic() });
  }
  return samples;
}
