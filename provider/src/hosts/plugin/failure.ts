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

/** The resource option customTimeouts ended a call. */
export class TimeIsUpError extends PreviewenvError {
  readonly code = "time_is_up";
}

/** A call needs settings, and its connection has none. */
export class NotConfiguredError extends PreviewenvError {
  readonly code = "not_configured";
}

/**
 * What each kind of failure is to the engine. UNKNOWN and INTERNAL make it warn that the state may be corrupt
 * (`pkg/resource/plugin/provider_plugin.go`), so they are used only for unexpected errors.
 */
const codes: ReadonlyMap<string, status> = new Map([
  ["settings", status.INVALID_ARGUMENT],
  ["config", status.INVALID_ARGUMENT],
  ["invalid_argument", status.INVALID_ARGUMENT],
  ["api_error", status.FAILED_PRECONDITION],
  ["invalid_request", status.FAILED_PRECONDITION],
  ["method_not_allowed", status.FAILED_PRECONDITION],
  ["refused", status.FAILED_PRECONDITION],
  ["unreadable_state", status.FAILED_PRECONDITION],
  ["lookup", status.FAILED_PRECONDITION],
  ["changing_list", status.ABORTED],
  ["payload_too_large", status.FAILED_PRECONDITION],
  ["not_configured", status.UNAUTHENTICATED],
  ["authentication", status.UNAUTHENTICATED],
  ["permission", status.PERMISSION_DENIED],
  ["not_found", status.NOT_FOUND],
  ["conflict", status.ABORTED],
  ["incomplete", status.ABORTED],
  ["rate_limited", status.RESOURCE_EXHAUSTED],
  ["server_error", status.UNAVAILABLE],
  ["no_answer", status.UNAVAILABLE],
  ["timeout", status.UNAVAILABLE],
  ["unexpected_response", status.UNAVAILABLE],
  ["ambiguous_result", status.UNAVAILABLE],
  ["contradiction", status.UNAVAILABLE],
  ["build", status.FAILED_PRECONDITION],
  ["component", status.FAILED_PRECONDITION],
  ["no_token", status.FAILED_PRECONDITION],
  ["time_is_up", status.DEADLINE_EXCEEDED],
  ["cancelled", status.CANCELLED],
  ["skipped", status.CANCELLED],
]);

/** An error as gRPC takes it: code and text, no stack. */
export function toServiceError(error: unknown): Partial<ServiceError> {
  if (error instanceof InitFailure) return withDetail(error);
  if (!PreviewenvError.isInstance(error)) return { code: status.UNKNOWN, details: unexpected(error) };
  return { code: codes.get(error.code) ?? status.UNKNOWN, details: truncatedText(error.message) };
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
