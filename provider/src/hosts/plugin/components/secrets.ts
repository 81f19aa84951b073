import { specialOutputValueSig, specialSecretSig, specialSigKey, unknownValue } from "@pulumi/pulumi/runtime/rpc";
import { type Struct, Value } from "google-protobuf/google/protobuf/struct_pb";

/**
 * Makes each secret an Output in its place. Pulumi's SDK would take everything around a secret for a secret too, such as all
 * variables of a component because of one.
 */
export function placeSecrets(inputs: Struct): void {
  inputs.getFieldsMap().forEach((value) => placeWithin(value));
}

function placeWithin(value: Value): void {
  for (const item of value.getListValue()?.getValuesList() ?? []) placeWithin(item);
  const struct = value.getStructValue();
  if (struct === undefined) return;
  const fields = struct.getFieldsMap();
  if (fields.get(specialSigKey)?.getStringValue() !== specialSecretSig) return placeSecrets(struct);
  fields.set(specialSigKey, new Value().setStringValue(specialOutputValueSig));
  fields.set("secret", new Value().setBoolValue(true));
  if (fields.get("value")?.getStringValue() === unknownValue) fields.del("value");
}
