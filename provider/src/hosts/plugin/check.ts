import {
  type CheckRequest,
  CheckResponse,
  type DiffRequest,
  DiffResponse,
  PropertyDiff,
} from "@pulumi/pulumi/proto/provider_pb";
import { type CheckFailure, describeFailure, describeFailureWithValue } from "../../framework/input-checks";
import { formatPath, INTERNAL_PREFIX, isWithin, parsePath, type PropertyChange } from "../../framework/diff";
import { displayableName } from "../../client/error-text";
import * as calls from "../../framework/engine-calls";
import { isKeptWhenDropped } from "../../framework/list-mark";
import { isUnknown, type Properties } from "../../framework/properties";
import type { Resource } from "../../framework/resource";
import { SecretTexts } from "../../framework/secret-texts";
import { visibleSecretWarnings } from "../../framework/visible-inputs";
import { refusal } from "./grpc-errors";
import { declaredProperties, labelOf, ownProperties, resourceOf } from "./requested-resource";
import type { ProviderSession } from "./sessions";
import { inputSecrecy, isSecret, secrecyOf, secretPathsOf, secretTextsIn } from "./secrecy";
import { send } from "./values";

/** Refuses inputs before any request, and fills in defaults. */
export function check(session: ProviderSession, request: CheckRequest): CheckResponse {
  const urn = request.getUrn();
  const resource = resourceOf(urn);
  const news = declaredProperties(urn, request.getNews());
  const { bag, secrecy, toldSecrets } = news;
  session.noteSecrets(resource, [news]);
  const texts = new SecretTexts(secretTextsIn(resource.shownInMessages, [news]));
  const olds = ownProperties(request.getOlds()).bag;
  const label = labelOf(urn, resource);
  const about = { identity: urn, label };
  const { inputs, failures } = calls.check(resource, bag, olds, session.run, about);
  const describe = (refused: CheckFailure): string =>
    isSecret(secrecyOf(secrecy, refused.path)) ? describeFailure(refused) : describeFailureWithValue(refused);
  const imported = session.imported.get(urn);
  const reasons = [
    ...failures.map(describe),
    ...(imported !== undefined && failures.length === 0 ? importedOther(resource, urn, imported, inputs) : []),
  ];
  const { name: visible = "" } = resource.visibleInput ?? {};
  // Generated SDKs mark an input that is always a secret, whatever the program has marked.
  const shown = resource.secrets.includes(visible) ? toldSecrets : secretPathsOf(secrecy, visible);
  if (reasons.length === 0)
    for (const text of visibleSecretWarnings(label, resource, inputs, shown)) session.log(urn).warn(texts.hide(text));
  return new CheckResponse()
    .setInputs(send(inputs, inputSecrecy(resource, inputs, secrecy)))
    .setFailuresList(reasons.map((reason) => refusal(texts.hide(reason))));
}

/** Compares state with what the program declares. The engine shows each path that is named. */
export function diff(session: ProviderSession, request: DiffRequest): DiffResponse {
  const urn = request.getUrn();
  const resource = resourceOf(urn);
  const olds = ownProperties(request.getOlds()).bag;
  // Of inputs without a mark, a Diff cannot tell whether they have lost it: in a refresh, they are those that an earlier version has stored.
  const news = declaredProperties(urn, request.getNews(), isKeptWhenDropped(olds)).bag;
  const compared = calls.diff(resource, olds, news, session.run);
  // The engine resets ignored inputs before it calls Diff, except in a refresh: there the provider must ignore them.
  const ignored = request.getIgnorechangesList().map(parsePath);
  const changes = compared.changes.filter(({ path, deletedInRun = false }) => deletedInRun || !isWithin(path, ignored));
  const roots = new Set(changes.map(({ path: [root = ""] }) => root));
  const replaces = compared.replaces.filter((name) => roots.has(name));
  // The engine leaves out internal names where it compares by itself.
  const shown = changes.filter(({ path: [root = ""] }) => !root.startsWith(INTERNAL_PREFIX));
  const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
  const response = new DiffResponse()
    .setChanges(changes.length > 0 ? DIFF_SOME : DIFF_NONE)
    .setReplacesList(replaces)
    .setDiffsList([...new Set(shown.map(({ path: [root = ""] }) => root))])
    .setHasdetaileddiff(true);
  for (const change of shown)
    response.getDetaileddiffMap().set(formatPath(change.path), propertyDiff(change, replaces));
  return response;
}

function propertyDiff({ path: [root = ""], kind }: PropertyChange, replaces: readonly string[]): PropertyDiff {
  const { Kind } = PropertyDiff;
  const [keeping, replacing] = {
    add: [Kind.ADD, Kind.ADD_REPLACE],
    delete: [Kind.DELETE, Kind.DELETE_REPLACE],
    update: [Kind.UPDATE, Kind.UPDATE_REPLACE],
  }[kind];
  return new PropertyDiff().setKind((replaces.includes(root) ? replacing : keeping) ?? Kind.UPDATE);
}

/**
 * Why an import is refused: its id is of something else than the program declares. Pulumi would import that, fail, because it replaces
 * nothing that it imports, and advise a change of the program after which the next `up` deletes it.
 */
function importedOther(resource: Resource, urn: string, imported: Properties, inputs: Properties): readonly string[] {
  return calls
    .diff(resource, imported, inputs)
    .replaces.filter((name) => !isUnknown(inputs[name]))
    .map(
      (name) =>
        `${name} is ${textOf(inputs[name])}, and the id of the option \`import\` is that of ${textOf(imported[name])}. Correct one of them. If ` +
        `\`up --skip-preview\` has imported it, first run \`pulumi state delete '${urn}'\`: otherwise the next \`up\` may delete it`,
    );
}

function textOf(value: unknown): string {
  return `"${displayableName(String(value))}"`;
}
