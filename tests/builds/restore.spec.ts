import { expect } from "chai";
import type { Context } from "../../provider/src/framework/context";
import type { Properties } from "../../provider/src/framework/properties";
import { startSession } from "../../provider/src/environment/start-session";
import { resolveSettings } from "../../provider/src/framework/settings";
import { findResource } from "../../provider/src/resources";
import { type Sandbox, startSandbox } from "../../provider/src/sandbox";
import { TestClock } from "../support/test-clock";

const ID = "4e1b6b5e-8c1d-4f0e-9d55-0f5d7a3c2b10";

interface Setting {
  readonly sandbox: Sandbox;
  readonly ctx: Context;
  /** The context of another run, which knows nothing of this one. */
  readonly next: Context;
}

async function play(run: (setting: Setting) => Promise<void>): Promise<void> {
  const clock = new TestClock();
  const environments = [{ id: ID, name: "shop", projects: [{ repoName: "web", branch: "main" }] }];
  const sandbox = await startSandbox({ clock, environments, buildSeconds: 60 });
  const given: Readonly<Record<string, string>> = { baseUrl: sandbox.url, apiToken: sandbox.token, maxRetries: "0" };
  const log = { info: () => undefined, warn: () => undefined, status: () => undefined };
  const start = (): Context => ({
    ...startSession(
      resolveSettings((name) => given[name], {}),
      { clock },
    ),
    log,
    signal: new AbortController().signal,
  });
  const [ctx, next] = [start(), start()];
  try {
    await run({ sandbox, ctx, next });
  } finally {
    await Promise.all([ctx.client.close(), next.client.close()]);
    await sandbox.close();
  }
}

describe("EnvironmentBranches: the build of a restore", () => {
  for (const { type, label, bag } of [
    { type: "SnapshotLoad", label: "POST /snapshot-load", bag: { sequenceNumber: 7 } },
    { type: "EnvironmentAction", label: "POST /rebuild", bag: { action: "rebuild" } },
  ])
    it(`is no trace of a request of ${type} that got no answer meanwhile`, () =>
      play(async ({ sandbox, ctx, next }) => {
        const inputs = (of: string, given: Properties): Properties =>
          findResource(of).check({ environmentId: ID, ...given }).inputs;
        const branches = findResource("EnvironmentBranches");
        const declared = { branches: { web: "feature" }, onDestroy: "restore" };
        const { id, state } = await branches.create(ctx, inputs(branches.type, declared));
        sandbox.faults.add({ label, dropBefore: true });
        const [written] = await Promise.all([
          findResource(type).create(next, inputs(type, bag)),
          branches.delete(next, id, state),
        ]);
        expect(written.unfinishedReasons).to.have.length(1);
        // State without what was asked for: the next `up` asks again.
        expect(written.state).not.to.have.any.keys(...Object.keys(bag));
        const refreshed = await findResource(type).read(next, written.id, written.state);
        expect(refreshed?.unfinishedReasons.join()).to.contain("it is not known whether");
        expect(sandbox.world.builds(ID)).to.have.length(3);
        expect(sandbox.world.snapshotLoads(ID)).to.have.length(0);
      }));
});
