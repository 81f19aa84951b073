import { isDeepStrictEqual } from "node:util";
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
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { CancelledError } from "../../client/errors";
import { secretHints } from "../../env-vars/secret-hints";
import type { Context } from "../../framework/context";
import * as calls from "../../framework/engine-calls";
import { SECRET_PATHS_KEY } from "../../framework/host-keys";
import { fitsIntoError, IncompleteError } from "../../framework/resource-errors";
import type { Properties } from "../../framework/properties";
import type { LiveResource, Resource } from "../../framework/resource";
import { SecretTexts } from "../../framework/secret-texts";
import { InitFailure } from "./grpc-errors";
import { declaredProperties, labelOf, ownProperties, resourceOf } from "./requested-resource";
import {
  inputSecrecy,
  type Secrecy,
  secretOutputs,
  secretPathsOf,
  secretTextsIn,
  stateSecrecy,
  union,
  wholly,
} from "./secrecy";
import type { ProviderSession } from "./sessions";
import { type Received, send } from "./values";

/** A step of the engine with one resource, and how long it may take. 0 seconds: no limit. */
interface EngineStep {
  readonly urn: string;
  readonly resource: Resource;
  /** The inputs that the engine sent as secrets: state has it as one, too. */
  readonly secrecy: Secrecy;
  /** The outputs that are secrets because of inputs, or were some before. */
  readonly secretOutputs: readonly string[];
  /** Texts that no message about the resource may repeat. Messages about others may name what is like one. */
  readonly secretsToHide: SecretTexts;
  /** Texts that no other output may repeat: those of the session. */
  readonly secretsInOutputs: SecretTexts;
  readonly timeoutSeconds: number;
}

/** Creates a resource. A preview returns only its planned outputs. */
export async function create(session: ProviderSession, request: CreateRequest): Promise<CreateResponse> {
  const given = declaredProperties(request.getUrn(), request.getProperties());
  const { bag: news } = given;
  const step = stepOf(session, request, given);
  const { id, state } = request.getPreview()
    ? { id: "", state: await preview(session, step, news) }
    : await change(session, step, (context) => calls.create(step.resource, context, news));
  return new CreateResponse().setId(id).setProperties(sendState(step, state));
}

/** Updates a resource. A preview returns only its planned outputs. */
export async function update(session: ProviderSession, request: UpdateRequest): Promise<UpdateResponse> {
  const stored = ownProperties(request.getOlds());
  const given = declaredProperties(request.getUrn(), request.getNews());
  const [{ bag: old }, { bag: news, secrecy }] = [stored, given];
  // State after a failure contains properties of the old state, too.
  const step = stepOf(session, request, stored, given);
  const id = request.getId();
  const { state } = request.getPreview()
    ? { state: await preview(session, step, news, old) }
    : await change(session, step, (context) => calls.update(step.resource, context, id, news, old));
  return new UpdateResponse().setProperties(sendState({ ...step, secrecy }, state));
}

/**
 * Reads what exists, in a refresh, for an import, or because a program looks at it with `get`. Only for an import, the engine sends no
 * inputs: not even an empty struct. For a `get`, it sends as state and as inputs what the program has given. Damaged state may look the
 * same, but without `--run-program` a refresh comes before the program. An unfinished write is reported again, or `up --refresh` would
 * treat the resource as complete.
 */
export async function read(session: ProviderSession, request: ReadRequest): Promise<ReadResponse> {
  const [stored, given] = [ownProperties(request.getProperties()), ownProperties(request.getInputs())];
  const [{ bag: old }, { bag: last }] = [stored, given];
  const step = stepOf(session, request, stored, given);
  const { resource, urn, secrecy } = step;
  const id = request.getId();
  const isImport = request.getInputs() === undefined;
  const live = await run(session, step, async (context) => {
    if (isImport) return calls.importExisting(resource, context, id);
    return isDeepStrictEqual(old, last) && (await context.runsProgram())
      ? calls.lookUp(resource, context, id, old)
      : calls.read(resource, context, id, old, last);
  });
  // Without an id it is gone.
  if (live === undefined) return new ReadResponse();
  const { state, inputs } = live;
  if (isImport) session.imported.set(urn, state);
  const unfinishedReasons = step.secretsToHide.hideInAll(live.unfinishedReasons);
  const properties = sendState(step, markInputs(step, state, old));
  const declared = send(markInputs(step, inputs, last), inputSecrecy(resource, inputs, secrecy));
  // State that is too large for an error is returned without one: a warning tells people, and the next diff names what is missing.
  if (unfinishedReasons.length > 0 && fitsIntoError(state, inputs))
    throw new InitFailure(live.id, properties, unfinishedReasons, declared);
  for (const reason of unfinishedReasons) session.log(urn).warn(reason);
  return new ReadResponse().setId(live.id).setProperties(properties).setInputs(declared);
}

/** Deletes what a resource has on the service. */
export async function remove(session: ProviderSession, request: DeleteRequest): Promise<Empty> {
  const stored = ownProperties(request.getProperties());
  const step = stepOf(session, request, stored);
  step.secretsToHide.add(secretTextsIn(step.resource.shownByDelete, [stored]));
  await run(session, step, (context) => calls.remove(step.resource, context, request.getId(), stored.bag));
  return new Empty();
}

/** The step that a request is about. */
function stepOf(
  session: ProviderSession,
  request: { getUrn(): string; getTimeout(): number },
  ...received: readonly Received[]
): EngineStep {
  const urn = request.getUrn();
  const resource = resourceOf(urn);
  session.noteSecrets(resource, received);
  const secrecy = received.map((properties) => properties.secrecy).reduce(union);
  return {
    urn,
    resource,
    secrecy,
    secretOutputs: secretOutputs(resource, secrecy),
    secretsToHide: new SecretTexts(secretTextsIn(resource.shownInMessages, received)),
    secretsInOutputs: session.secretsInOutputs,
    timeoutSeconds: request.getTimeout(),
  };
}

/** State as the engine takes it. */
function sendState(step: EngineStep, state: Properties): Struct {
  const { resource, secrecy, secretOutputs: outputs, secretsInOutputs: texts } = step;
  const marked = texts.markIn(state, resource.computed);
  const told = outputs.length > 0 && { [SECRET_PATHS_KEY]: outputs.map((name) => [name]) };
  return send({ ...marked, ...told }, stateSecrecy(resource, state, union(secrecy, wholly(outputs))));
}

/**
 * Inputs or state after a refresh or a failure, with texts that the program has declared as secrets in another place: a refresh finds a
 * service of `services` in `scopes`, or a branch in another repository. What is as it was before stays as it is.
 */
function markInputs(
  { resource, secretsInOutputs: texts }: EngineStep,
  bag: Properties,
  before?: Properties,
): Properties {
  return texts.markIn(bag, resource.shownInMessages, before);
}

/** Runs a handler, and says when the resource option customTimeouts has ended it. */
async function run<T>(
  session: ProviderSession,
  step: EngineStep,
  handle: (context: Context) => Promise<T>,
): Promise<T> {
  using context = session.call(step.urn, step.timeoutSeconds);
  try {
    return await handle({ ...context, log: step.secretsToHide.hideIn(context.log) });
  } catch (thrown) {
    const error = step.secretsToHide.hideInError(thrown);
    const isEnded = error instanceof CancelledError || error instanceof IncompleteError;
    if (!isEnded || !isLate(session, context)) throw error;
    throw new IncompleteError(`${error.message.replace(/\.$/u, "")}. ${lateText(step)}`);
  }
}

/** Runs a create or update. @throws InitFailure when the write is not finished */
function change(
  session: ProviderSession,
  step: EngineStep,
  handle: (context: Context) => Promise<Required<LiveResource>>,
): Promise<LiveResource> {
  return run(session, step, async (context) => {
    const live = await handle(context);
    const { id, state } = live;
    const unfinishedReasons = step.secretsToHide.hideInAll(live.unfinishedReasons);
    if (unfinishedReasons.length === 0) return live;
    throw new InitFailure(
      id,
      sendState(step, markInputs(step, state)),
      isLate(session, context) ? [...unfinishedReasons, lateText(step)] : unfinishedReasons,
    );
  });
}

function isLate(session: ProviderSession, { signal }: Context): boolean {
  return signal.aborted && !session.signal.aborted;
}

function lateText({ timeoutSeconds }: EngineStep): string {
  return `The step took longer than ${timeoutSeconds} s, which is its limit in the resource option customTimeouts.`;
}

/**
 * Looks at the service in a preview of a create or, from `old`, of an update, and says what it finds.
 * @returns the outputs that are certain
 * @throws what makes the `up` fail for certain
 */
async function preview(
  session: ProviderSession,
  step: EngineStep,
  news: Properties,
  old?: Properties,
): Promise<Properties> {
  const { urn, resource, secrecy } = step;
  const secrets = secretPathsOf(secrecy, resource.visibleInput?.name ?? "");
  await run(session, step, async (context) => {
    const warnings = context.warnings.unsaid(await calls.previewCheck(resource, context, news, old));
    const hints = secretHints(labelOf(urn, resource), resource, news, secrets, context.notSecretNames);
    for (const text of [...warnings, ...hints]) context.log.warn(text);
  });
  return calls.plannedOutputs(resource, news, old, session.run);
}
