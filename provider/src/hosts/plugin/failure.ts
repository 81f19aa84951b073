import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { PreviewenvError } from "../../client/errors";
import { truncatedText } from "../../framework/partial-failure";
import { unexpected } from "./unexpected";

/** What the engine stores, and shows, of a resource that exists and is not as declared. */
export interface InitFailureDetail {
  readonly id: string;
  readonly properties: Struct;
  /** Only a read has them. */
  readonly inputs?: Struct;
  readonly reasons: readonly string[];
}

/** The one error that keeps a resource in state. */
export class InitFailure extends Error {
  readonly detail: InitFailureDetail;

  constructor(detail: InitFailureDetail) {
    super("the resource exists, and is not as declared");
    this.detail = detail;
  }
}

/**
 * An error as gRPC takes it: code and text, no stack. UNKNOWN and INTERNAL make the engine take the state for possibly corrupt
 * (`pkg/resource/plugin/provider_plugin.go`), so only a bug has one of them. It treats all other codes alike.
 */
export function toServiceError(error: unknown): Partial<ServiceError> {
  if (error instanceof InitFailure) return withDetail(error);
  if (!(error instanceof PreviewenvError)) return { code: status.UNKNOWN, details: unexpected(error) };
  return { code: status.FAILED_PRECONDITION, details: truncatedText(error.message) };
}

/** The engine takes id, properties and reasons from the detail; it does not show the text. */
function withDetail({ message, detail }: InitFailure): Partial<ServiceError> {
  const failed = new ErrorResourceInitFailed();
  failed.setId(detail.id);
  failed.setProperties(detail.properties);
  if (detail.inputs !== undefined) failed.setInputs(detail.inputs);
  failed.setReasonsList([...detail.reasons]);
  const packed = new Any();
  packed.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const whole = new Status();
  whole.setCode(status.UNKNOWN);
  whole.setMessage(message);
  whole.addDetails(packed);
  const metadata = new Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(whole.serializeBinary()));
  return { code: status.UNKNOWN, details: message, metadata };
}
