import type { Context } from "../../provider/src/framework/context";
import { DuplicateDeclarations } from "../../provider/src/framework/duplicate-declarations";
import { check } from "../../provider/src/framework/engine-calls";
import type { Properties } from "../../provider/src/framework/properties";
import { startRun } from "../../provider/src/environment/start-run";
import { resolveSettings } from "../../provider/src/framework/settings";
import { findResource } from "../../provider/src/resources";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../provider/src/sandbox";
import { TestClock } from "./test-clock";

export const ENVIRONMENT_ID = "4e1b6b5e-8c1d-4f0e-9d55-0f5d7a3c2b10";

/** One provider process after the other, without a host: calls in whatever order a test needs. */
export interface ProcessStage {
  readonly clock: TestClock;
  readonly sandbox: Sandbox;
  /** What a call of the process that runs now gets. */
  readonly context: (signal?: AbortSignal) => Context;
  /** Checked inputs, which the program of this run declares. */
  readonly declared: (type: string, given: Properties) => Properties;
  /** The next calls are those of another process. */
  readonly restart: () => Promise<void>;
  readonly values: () => Properties;
}

export async function onProcessStage(
  act: (stage: ProcessStage) => Promise<void>,
  options: SandboxOptions = {},
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const clock = new TestClock();
  const environments = [{ id: ENVIRONMENT_ID, name: "shop", projects: [{ repoName: "web", branch: "main" }] }];
  const sandbox = await startSandbox({ clock, environments, ...options });
  const given: Readonly<Record<string, string>> = {
    baseUrl: sandbox.url,
    apiToken: sandbox.token,
    maxRetries: "0",
    ...settings,
  };
  const start = () =>
    startRun(
      resolveSettings((name) => given[name], {}),
      { clock },
    );
  let session = start();
  const log = { info: () => undefined, warn: () => undefined, status: () => undefined };
  try {
    await act({
      clock,
      sandbox,
      context: (signal = new AbortController().signal) => ({ ...session, log, signal }),
      declared: (type, inputs) => {
        const about = { isNew: false, identity: undefined, label: type, declarations: new DuplicateDeclarations() };
        return check(findResource(type), { environmentId: ENVIRONMENT_ID, ...inputs }, session, about).inputs;
      },
      restart: async () => {
        await session.client.close();
        session = start();
      },
      values: () => Object.fromEntries(sandbox.world.variables(ENVIRONMENT_ID).map(({ name, value }) => [name, value])),
    });
  } finally {
    await session.client.close();
    await sandbox.close();
  }
}
