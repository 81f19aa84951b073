import { fork } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { buildSync } from "esbuild";
import * as z from "zod";
import type { Shape } from "./plan";
import type { LoadSample } from "./sample";
import { LoadService } from "./service";

const Measured = z.object({ operation: z.string(), cpuMs: z.number(), wallMs: z.number(), peakBytes: z.number() });

/** The process as one file, so that no compiler counts. */
const PROCESS = resolve("node_modules", ".cache", "previewenv", "handlers-process.js");

/** The life of so many variables in the handlers alone: what the provider itself costs. @throws when a call fails. */
export async function measureHandlers(shape: Shape, size: number, signal: AbortSignal): Promise<readonly LoadSample[]> {
  await using service = await LoadService.start();
  const samples: LoadSample[] = [];
  const source = join(__dirname, "handlers-process.ts");
  buildSync({ entryPoints: [source], outfile: PROCESS, bundle: true, platform: "node", packages: "external" });
  const child = fork(PROCESS, [shape, String(size), service.environmentId], {
    env: { PATH: process.env["PATH"], ...service.env },
    execArgv: [],
    signal,
  });
  child.on("message", (message) => samples.push({ shape, size, ...Measured.parse(message), ...service.traffic() }));
  const [code]: unknown[] = await once(child, "close");
  if (code !== 0) throw new Error(`the handlers failed with ${size} variables (${shape})`);
  return samples;
}
