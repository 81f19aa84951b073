import {
  type CreateRequest,
  CreateResponse,
  type DeleteRequest,
  type ReadRequest,
  ReadResponse,
  type UpdateRequest,
  UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { fitsError } from "../../framework/errors";
import { InitFailure } from "./failure";
import { ownProperties } from "./resource";
import { inputSecrecy, union } from "./secrecy";
import type { ProviderSession } from "./sessions";
import { preview, run, sendState, stepOf, write } from "./step";
import { send } from "./values";

/** Creates a resource; a preview returns only its planned outputs. */
export async function create(session: ProviderSession, request: CreateRequest): Promise<CreateResponse> {
  const { bag: news, secrecy } = ownProperties(request.getProperties());
  const step = stepOf(request, secrecy);
  const { id, state } = request.getPreview()
    ? { id: "", state: await preview(session, step, news) }
    : await write(session, step, (context) => step.resource.create(context, news));
  return new CreateResponse().setId(id).setProperties(sendState(step, state));
}

/** Updates a resource; a preview returns only its planned outputs. */
export async function update(session: ProviderSession, request: UpdateRequest): Promise<UpdateResponse> {
  const { bag: old, secrecy: ofOld } = ownProperties(request.getOlds());
  const { bag: news, secrecy } = ownProperties(request.getNews());
  // State after a failure contains properties of the old state, too.
  const step = stepOf(request, union(ofOld, secrecy));
  const id = request.getId();
  const { state } = request.getPreview()
    ? { state: await preview(session, step, news, old) }
    : await write(session, step, (context) => step.resource.update(context, id, news, old));
  return new UpdateResponse().setProperties(sendState({ ...step, secrecy }, state));
}

/**
 * Reads what exists. The engine sends state in a refresh, and only the id for an import. An unfinished write is reported
 * again, or `up --refresh` would treat the resource as complete.
 */
export async function read(session: ProviderSession, request: ReadRequest): Promise<ReadResponse> {
  const { bag: old, secrecy: ofOld } = ownProperties(request.getProperties());
  const { bag: last, secrecy: ofLast } = ownProperties(request.getInputs());
  const secrecy = union(ofOld, ofLast);
  const step = stepOf(request, secrecy);
  const { resource, urn } = step;
  const isImport = Object.keys(old).length === 0;
  const found = await run(session, step, (context) =>
    isImport ? resource.import(context, request.getId()) : resource.read(context, request.getId(), old, last),
  );
  // Without an id it is gone.
  if (found === undefined) return new ReadResponse();
  const { id, state, inputs, open } = found;
  const [properties, declared] = [sendState(step, state), send(inputs, inputSecrecy(resource, inputs, secrecy))];
  // State that is too large for an error is returned without one: a warning tells people, and the next diff names what is missing.
  if (open.length > 0 && fitsError(state, inputs)) throw new InitFailure(id, properties, open, declared);
  for (const reason of open) session.log(urn).warn(reason);
  return new ReadResponse().setId(id).setProperties(properties).setInputs(declared);
}

/** Deletes a resource. */
export async function remove(session: ProviderSession, request: DeleteRequest): Promise<Empty> {
  const { bag, secrecy } = ownProperties(request.getProperties());
  const step = stepOf(request, secrecy);
  await run(session, step, (context) => step.resource.delete(context, request.getId(), bag));
  return new Empty();
}
