import type { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import {
  CheckFailure,
  type CheckRequest,
  CheckResponse,
  type ConfigureRequest,
  ConfigureResponse,
  type DiffRequest,
  DiffResponse,
  ProviderHandshakeResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { ConfigError } from "../../client/errors";
import { diffInputs } from "../../framework/diff";
import { resolveSettings, settings, settingsProblems, type Source, unknownSettings } from "../../framework/settings";
import { startSession } from "../../environment/session";
import { NO_VALUE } from "../../framework/no-value";
import { isUnknown, type Properties } from "../../framework/properties";
import type { ProviderSession } from "./sessions";
import { formatPath } from "../../framework/property-path";
import { type Secrecy, union } from "./secrecy";
import { receive, send } from "./values";

/** Secrets are marked in both directions; the engine sends references to resources as such. */
export function handshake(): ProviderHandshakeResponse {
  const response = new ProviderHandshakeResponse();
  response.setAcceptSecrets(true);
  response.setAcceptResources(true);
  response.setAcceptOutputs(true);
  return response;
}

/** A plugin that was started by hand learns the engine's address of each run. */
export function attach(session: ProviderSession, request: PluginAttach): Empty {
  session.connect(request.getAddress());
  return new Empty();
}

/**
 * Checks the settings in a preview, before anything is written. No environment variable is returned: the engine stores this
 * answer, and a refresh would use a token that has been replaced since. The token is returned as
 * a secret, because a generated SDK may have put it into the inputs of a provider as plain text.
 */
export function checkConfig(session: ProviderSession, request: CheckRequest): CheckResponse {
  const { bag, secrecy } = receive(request.getNews());
  // A default provider gets every key that stack config has for the package.
  const names = settings.map(({ name }) => name);
  for (const text of unknownSettings(Object.keys(bag), names, "previewenv:")) session.log(request.getUrn()).warn(text);
  const response = new CheckResponse();
  response.setInputs(send(bag, union(secrecy, secretSettings())));
  response.setFailuresList(problems(bag).map((reason) => failure(reason)));
  return response;
}

/** No change of a setting replaces a resource: ids do not depend on settings. */
export function diffConfig(request: DiffRequest): DiffResponse {
  const names = settings.map(({ name }) => name);
  const olds = receive(request.getOldInputs() ?? request.getOlds()).bag;
  const changes = diffInputs(olds, receive(request.getNews()).bag, names);
  const response = new DiffResponse();
  response.setChanges(changes.length > 0 ? DiffResponse.DiffChanges.DIFF_SOME : DiffResponse.DiffChanges.DIFF_NONE);
  response.setDiffsList(changes.map(({ path }) => formatPath(path)));
  return response;
}

/** Begins a session with the given settings. */
export function configure(
  begin: (source: Source, provider: string | undefined) => void,
  request: ConfigureRequest,
): ConfigureResponse {
  const { bag } = receive(request.getArgs());
  const [urn = "", id = ""] = [request.getUrn(), request.getId()];
  begin((name) => bag[name], urn === "" || id === "" ? undefined : `${urn}::${id}`);
  const response = new ConfigureResponse();
  response.setAcceptsecrets(true);
  response.setSupportspreview(true);
  response.setAcceptresources(true);
  response.setAcceptoutputs(true);
  return response;
}

/** A reason to refuse inputs. The property stays empty: the engine prints the raw value of a property that is named. */
export function failure(reason: string): CheckFailure {
  const result = new CheckFailure();
  result.setProperty("");
  result.setReason(reason);
  return result;
}

function secretSettings(): Secrecy {
  return new Map(settings.filter(({ secret }) => secret).map(({ name }) => [name, "all"]));
}

function problems(given: Properties): readonly string[] {
  const empty = settings.filter(({ name }) => given[name] === null);
  if (empty.length > 0) return empty.map(({ name }) => `previewenv:${name} ${NO_VALUE}.`);
  const source = (name: string): unknown => given[name];
  const found = settingsProblems(source, process.env);
  if (found.length > 0 || settings.some(({ name }) => isUnknown(given[name]))) return found;
  try {
    // Only the client knows whether an address can work. It opens no connection before its first request.
    void startSession(resolveSettings(source, process.env)).client.close();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return [error.message];
    throw error;
  }
}
