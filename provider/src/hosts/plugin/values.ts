import { toUSVString } from "node:util";
import { type JavaScriptValue, type ListValue, Struct, type Value } from "google-protobuf/google/protobuf/struct_pb";
import { asSecret, isMap, type Properties, SECRET, SIGNATURE, UNKNOWN } from "../../framework/properties";
import { isSecret, NOTHING, type Secrecy, secrecyOf } from "./secrecy";

/** One more kind of special values (`sdk/go/common/resource/sig`). */
const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/** The name that google-protobuf's maps cannot hold. It must not be lost before a rule refuses it. */
const PROTO = "__proto__";

/** Properties that the engine sent: plain values, and which of them are secret. */
export interface Received {
  readonly bag: Properties;
  readonly secrecy: Secrecy;
}

interface ReceivedValue {
  readonly value: unknown;
  readonly secrecy: Secrecy;
}

/**
 * Reads properties as the engine sends them. Secrets become plain values and are noted. An unknown value stays the
 * engine's text for it. A reference to a resource, an asset and an archive stay as they are: whoever takes inputs refuses them.
 */
export function receive(struct: Struct | undefined): Received {
  const { value, secrecy } = struct === undefined ? { value: {}, secrecy: NOTHING } : receiveMap(struct);
  return { bag: isMap(value) ? value : {}, secrecy };
}

/** Properties as the engine takes them, with secrets marked. `undefined` is left out. */
export function send(bag: Properties, secrecy: Secrecy = NOTHING): Struct {
  return Struct.fromJavaScript(sendMap(bag, secrecy));
}

function receiveValue(value: Value): ReceivedValue {
  const struct = value.getStructValue();
  if (struct !== undefined) return receiveStruct(struct);
  const list = value.getListValue();
  return list === undefined ? plain(value.toJavaScript()) : receiveList(list);
}

function receiveStruct(struct: Struct): ReceivedValue {
  const fields = struct.getFieldsMap();
  const signature = fields.get(SIGNATURE)?.getStringValue();
  if (signature === undefined) return receiveMap(struct);
  const content = fields.get("value");
  if (signature === SECRET) return { value: content && receiveValue(content).value, secrecy: "all" };
  if (signature !== OUTPUT) return receiveMap(struct);
  const part = content === undefined ? plain(UNKNOWN) : receiveValue(content);
  return fields.get("secret")?.getBoolValue() === true ? { value: part.value, secrecy: "all" } : part;
}

function receiveMap(struct: Struct): ReceivedValue {
  const fields = struct.getFieldsMap();
  const entries: [string, ReceivedValue][] = [];
  fields.forEach((value, name) => entries.push([name, receiveValue(value)]));
  const lost = hasProtoEntry(fields) ? fields.get(PROTO) : undefined;
  if (lost !== undefined) entries.push([PROTO, receiveValue(lost)]);
  return {
    // Own properties, whatever their names.
    value: Object.fromEntries(entries.map(([name, { value }]) => [name, value])),
    secrecy: branches(entries),
  };
}

/** An entry of that name becomes the prototype of the library's own map. Asking for one that does not exist would write
 * into `Object.prototype`. */
function hasProtoEntry(fields: object): boolean {
  return Object.values(fields).some((inner) => isMap(inner) && Object.getPrototypeOf(inner) !== Object.prototype);
}

/** A list with a secret in it is one as a whole, as the engine makes it for other providers: Check and the service may sort its items. */
function receiveList(list: ListValue): ReceivedValue {
  const parts = list.getValuesList().map((value) => receiveValue(value));
  return {
    value: parts.map(({ value }) => value),
    secrecy: parts.some(({ secrecy }) => isSecret(secrecy)) ? "all" : NOTHING,
  };
}

function branches(entries: readonly (readonly [string, ReceivedValue])[]): Secrecy {
  const marked = entries.filter(([, { secrecy }]) => isSecret(secrecy));
  return marked.length === 0 ? NOTHING : new Map(marked.map(([name, { secrecy }]) => [name, secrecy]));
}

function plain(value: unknown): ReceivedValue {
  return { value, secrecy: NOTHING };
}

function sendMap(map: Properties, secrecy: Secrecy): Record<string, JavaScriptValue> {
  // The protobuf library would lose this entry, and damage its own map.
  const entries = Object.entries(map).filter(([name, value]) => value !== undefined && name !== PROTO);
  return Object.fromEntries(entries.map(([name, value]) => [name, sendValue(value, secrecyOf(secrecy, name))]));
}

function sendValue(value: unknown, secrecy: Secrecy): JavaScriptValue {
  // A program in TypeScript gets no value for a secret in a secret.
  if (secrecy === "all") return { ...asSecret(sendValue(withoutMarks(value), NOTHING)) };
  // A lone surrogate in a text of the service would make the whole answer fail.
  if (typeof value === "string") return toUSVString(value);
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map((item) => sendValue(item, NOTHING));
  if (isMap(value)) return sendMap(value, secrecy);
  if (value === null || value === undefined) return null;
  throw new TypeError(`a ${typeof value} cannot be sent to the engine`);
}

/** A value without the marks of secrets within it. */
function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (!isMap(value)) return value;
  if (value[SIGNATURE] === SECRET) return withoutMarks(value["value"]);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutMarks(item)]));
}
