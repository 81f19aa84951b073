import type { ResourceHookBinding } from "@pulumi/pulumi/resource";
import type { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";

// The parts of the SDK that Pulumi's own server of components calls (`sdk/nodejs/provider/server.ts`), and the SDK's types leave out. The bundle
// contains the version of the SDK that it was tested with.

declare module "@pulumi/pulumi/runtime/resource" {
  export function hookBindingFromProto(
    binding: ConstructRequest.ResourceHooksBinding | undefined,
  ): ResourceHookBinding | undefined;
}

declare module "@pulumi/pulumi/runtime/settings" {
  /** Asks the engine what it can do. */
  export function awaitFeatureSupport(): Promise<void>;
  /** Resolves when no call of the engine is under way. */
  export function waitForRPCs(): Promise<void>;
  /** Of each connection to the engine that the SDK makes. */
  export const grpcClientOptions: object;
}

declare module "@pulumi/pulumi/runtime/state" {
  /** The connections of the run that the caller belongs to. */
  export function getStore(): {
    readonly settings: { readonly [client in "monitor" | "engine"]?: { close(): void } } & {
      /** Resolves when the engine calls that are under way have ended. */
      rpcDone: Promise<unknown>;
    };
  };
  /** Gives an action, and all that it waits for, a run of its own. */
  export function withLocalStorage<T>(action: () => T): T;
}
