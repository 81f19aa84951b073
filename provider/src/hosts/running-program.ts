import type { Metadata } from "@grpc/grpc-js";
import type { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type * as EngineMessages from "@pulumi/pulumi/proto/engine_pb";

/** How long an answer of the engine is waited for. */
const MAX_ANSWER_MS = 5_000;

/**
 * Whether a program runs in this run of the engine. First of all, Pulumi's SDK for Node.js tells the engine the program's root
 * resource, and the engine keeps it for the run; a plain `destroy` runs no program. Without an answer it counts as running: whoever
 * asks deletes less then.
 */
export function runsProgram(engine: EngineClient, metadata: Metadata): Promise<boolean> {
  const { GetRootResourceRequest }: typeof EngineMessages = require("@pulumi/pulumi/proto/engine_pb");
  return new Promise((resolve) => {
    const deadline = Date.now() + MAX_ANSWER_MS;
    engine.getRootResource(new GetRootResourceRequest(), metadata, { deadline }, (error, response) =>
      resolve(error !== null || response.getUrn() !== ""),
    );
  });
}
