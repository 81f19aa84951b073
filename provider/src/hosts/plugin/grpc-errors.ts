import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { CheckFailure, ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { PreviewenvError } from "../../client/errors";
import { unexpected } from "../../framework/resource-errors";

/** The one error that keeps a resource in state: it exists, and is not as declared. Only a read has `inputs`. */
export class InitFailure extends Error {
  /** The outputs that the engine stores, and shows. */
  readonly detail = new ErrorResourceInitFailed();

  constructor(id: string, properties: Struct, reasons: readonly string[], inputs?: Struct) {
    super("the resource exists, and is not as declared");
    this.detail
      .setId(id)
      .setProperties(properties)
      .setInputs(inputs)
      .setReasonsList([...reasons]);
  }
}

/** A reason to refuse inputs. The property stays empty: the engine prints the raw value of a property that is named. */
export function refusal(reason: string): CheckFailure {
  return new CheckFailure().setProperty("").setReason(reason);
}

/**
 * An error as gRPC takes it: code and text, no stack. UNKNOWN and INTERNAL make the engine take the state for possibly corrupt
 * (`pkg/resource/plugin/provider_plugin.go`), so only a bug has one of them. It treats all other codes alike.
 */
export function toServiceError(error: unknown): Partial<ServiceError> {
  if (error instanceof InitFailure) return withDetail(error);
  if (!(error instanceof PreviewenvError)) return { code: status.UNKNOWN, details: unexpected(error) };
  return { code: status.FAILED_PRECONDITION, details: error.message };
}

/** The engine takes id, properties and reasons from the detail. It does not show the text. */
function withDetail({ message, detail }: InitFailure): Partial<ServiceError> {
  const packed = new Any();
  packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const whole = new Status().setCode(status.UNKNOWN).setMessage(message);
  whole.addDetails(packed);
  const metadata = new Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(whole.serializeBinary()));
  return { code: status.UNKNOWN, details: message, metadata };
}
