import { status } from "@grpc/grpc-js";
import { expect } from "chai";
import { ProviderFailure } from "../../support/host";
import { failing } from "../../support/stack";
import { set } from "../../support/stage";
import type { Proof, Proofs } from "./difference-proof";

const TOKEN = "previewenv:index:getEnvironment";

/** Differences in what a provider answers to the engine: functions, and codes of errors. */
export const answers: Proofs<"functions" | "error-codes"> = {
  functions: {
    dynamic: [
      {
        title: "the provider process has none",
        async run({ engine, environmentId }) {
          const failure = await engine.invoke(TOKEN, { id: environmentId }).catch((error: unknown) => error);
          expect(failure).to.be.instanceOf(ProviderFailure);
        },
      },
    ],
    native: [
      {
        title: "the plugin answers",
        async run({ engine, environmentId }) {
          expect(await engine.invoke(TOKEN, { id: environmentId })).to.deep.include({
            id: environmentId,
            name: "shop",
          });
        },
      },
    ],
  },

  "error-codes": { dynamic: [errorCode(status.UNKNOWN)], native: [errorCode(status.FAILED_PRECONDITION)] },
};

function errorCode(code: status): Proof {
  return {
    title: `a 403 of the service has the code ${status[code]}`,
    async run({ engine, environmentId, sandbox }) {
      sandbox.faults.add({ label: "GET /env-vars", status: 403 });
      const run = await failing(engine.up(set(environmentId, { variables: { A: "1" } })));
      expect(run.errors.join("\n")).to.contain("403");
      expect(run.codes).to.deep.equal([code]);
    },
  };
}
