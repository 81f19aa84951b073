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
import { fitsError } from "../../framework/partial-failure";
import { look, runHandler, runWrite } from "./handler-call";
import { InitFailure } from "./failure";
import { ownProperties, resourceOf } from "./resource";
import type { ProviderSession } from "./sessions";
import { inputSecrecy, stateSecrecy, union } from "./secrecy";
import { send } from "./values";

/** Creates a resource; a preview returns only its planned outputs. */
export async function create(session: ProviderSession, request: CreateRequest): Promise<CreateResponse> {
  const urn = request.getUrn();
  const resource = resourceOf(urn);
  const { bag, secrecy } = ownProperties(request.getProperties());
  const subject = { urn, resource, secrecy, timeoutSeconds: request.getTimeout() };
  if (request.getPreview()) await look(session, subject, { news: bag });
  const { id, state } = request.getPreview()
    ? { id: "", state: resource.plannedOutputs(bag) }
    : await runWrite(session, subject, (context) => resource.create(context, bag));
  const response = new CreateResponse();
  response.setId(id);
  response.setProperties(send(state, stateSecrecy(resource, state, secrecy)));
  return response;
}

/** Updates a resource; a preview returns only its planned outputs. */
export async function update(session: ProviderSession, request: UpdateRequest): Promise<UpdateResponse> {
  const urn = request.getUrn();
  const resource = resourceOf(urn);
  const { bag: olds, secrecy: ofOlds } = ownProperties(request.getOlds());
  const { bag, secrecy } = ownProperties(request.getNews());
  // State after a failure contains properties of the old state, too.
  const subject = { urn, resource, secrecy: union(ofOlds, secrecy), timeoutSeconds: request.getTimeout() };
  if (request.getPreview()) await look(session, subject, { news: bag, old: olds });
  const id = request.getId();
  const { state } = request.getPreview()
    ? { state: resource.plannedOutputs(bag, olds, session.environments) }
    : await runWrite(session, subject, (context) => resource.update(context, id, bag, olds));
  const response = new UpdateResponse();
  response.setProperties(send(state, stateSecrecy(resource, state, secrecy)));
  return response;
}

/**
 * Reads what exists. The engine sends state in a refresh, and only the id for an import. An unfinished write is reported
 * again, or `up --refresh` would treat the resource as complete.
 */
export async function read(session: ProviderSession, request: ReadRequest): Promise<ReadResponse> {
  const urn = request.getUrn();
  const resource = resourceOf(urn);
  const givenId = request.getId();
  const { bag: olds, secrecy: ofOlds } = ownProperties(request.getProperties());
  const { bag: inputs, secrecy: ofInputs } = ownProperties(request.getInputs());
  const secrecy = union(ofOlds, ofInputs);
  const found = await runHandler(
    session,
    { urn, resource, secrecy, timeoutSeconds: request.getTimeout() },
    async (context) => {
      if (Object.keys(olds).length > 0) {
        const observed = await resource.read(context, givenId, olds, inputs);
        return observed && { id: givenId, ...observed };
      }
      const imported = await resource.import(context, givenId);
      return imported && { ...imported, open: [] };
    },
  );
  const response = new ReadResponse();
  // Without an id it is gone.
  if (found === undefined) return response;
  const { id, state, open } = found;
  const properties = send(state, stateSecrecy(resource, state, secrecy));
  const declared = send(found.inputs, inputSecrecy(resource, found.inputs, secrecy));
  if (open.length > 0) {
    // State that is too large for an error is returned without one: a warning tells people, and the next diff names what is missing.
    if (fitsError(state, found.inputs)) throw new InitFailure({ id, properties, inputs: declared, reasons: open });
    for (const reason of open) session.log(urn).warn(reason);
  }
  response.setId(id);
  response.setProperties(properties);
  response.setInputs(declared);
  return response;
}

/** Deletes a resource. */
export async function remove(session: ProviderSession, request: DeleteRequest): Promise<Empty> {
  const urn = request.getUrn();
  const resource = resourceOf(urn);
  const { bag, secrecy } = ownProperties(request.getProperties());
  await runHandler(session, { urn, resource, secrecy, timeoutSeconds: request.getTimeout() }, (context) =>
    resource.delete(context, request.getId(), bag),
  );
  return new Empty();
}
