import { PolicyPack, type ResourceValidationArgs, validateResourceOfType } from "@pulumi/policy";
import * as dynamic from "pulumi-previewenv";
import * as native from "pulumi-previewenv/native";

/** The type of a set: of the dynamic provider, and of the plugin, which all other languages use. */
const SETS = ["pulumi-nodejs:dynamic/previewenv:EnvVarSet", "previewenv:index:EnvVarSet"];
const WITH_PASSWORD = /:\/\/[^/\s:@]*:[^/\s@]+@/;

const isSet = ({ type }: ResourceValidationArgs): boolean => SETS.includes(type);

new PolicyPack("previewenv", {
  enforcementLevel: "mandatory",
  policies: [
    {
      name: "no-visible-password",
      description: "A URL with a password belongs into `secrets`.",
      // By class: one for each entry.
      validateResource: [dynamic.EnvVarSet, native.EnvVarSet].map((type) =>
        validateResourceOfType(type, ({ variables }, _, report) => {
          for (const [name, value] of Object.entries(variables ?? {}))
            if (WITH_PASSWORD.test(value)) report(`variables.${name} is a URL with a password`);
        }),
      ),
    },
    {
      name: "no-overwrite",
      description: "A stack takes over no variables of somebody else.",
      // Of any resource that has this input.
      validateResource: (args, report) => {
        if (args.props["onConflict"] === "overwrite") report('onConflict is "overwrite"');
      },
    },
    {
      name: "prune-with-keep",
      description: "A set that prunes says what it keeps.",
      validateResource: (args, report) => {
        const { prune, keep } = args.props;
        if (isSet(args) && prune === true && (keep ?? []).length === 0) report("prune is true, and keep names nothing");
      },
    },
  ],
});
