import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import * as z from "zod";
import type { Shape } from "./plan";
import type { LoadSample } from "./sample";
import { LoadService } from "./service";
import { TYPESCRIPT } from "../../support/typescript";

const Measured = z.object({ operation: z.string(), cpuMs: z.number(), wallMs: z.number(), peakBytes: z.number() });

/** The life of so many variables in the handlers alone: what the provider itself costs. @throws when a call fails. */
export async function measureHandlers(shape: Shape, size: number, signal: AbortSignal): Promise<readonly LoadSample[]> {
  await using service = await LoadService.start();
  const samples: LoadSample[] = [];
  const child = fork(join(__dirname, "handlers-process.ts"), [shape, String(size), service.environmentId], {
    env: { PATH: process.env["PATH"], ...service.env },
    execArgv: [...TYPESCRIPT],
    signal,
  });
  child.on("message", (message) => samples.push({ shape, size, ...Measured.parse(message), ...service.traffic() }));
  const [code]: unknown[] = await once(child, "close");
  if (code !== 0) throw new Error(`the handlers failed with ${size} variables (${shape})`);
  return samples;
}
