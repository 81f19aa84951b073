"use strict";

const { PolicyPack, validateResourceOfType } = require("@pulumi/policy");
const dynamic = require("pulumi-previewenv");
const native = require("pulumi-previewenv/native");

/** The types of a set, with the dynamic provider and with the plugin, which all other languages use. */
const SETS = ["pulumi-nodejs:dynamic/previewenv:EnvVarSet", "previewenv:index:EnvVarSet"];
const WITH_PASSWORD = /:\/\/[^/\s:@]*:[^/\s@]+@/;

new PolicyPack("previewenv", {
  enforcementLevel: "mandatory",
  policies: [
    {
      name: "no-visible-password",
      description: "A URL with a password belongs in `secrets`.",
      // Checks the classes, one for each entry of the package.
      validateResource: [dynamic.EnvVarSet, native.EnvVarSet].map((type) =>
        validateResourceOfType(type, ({ variables }, _, report) => {
          for (const [name, value] of Object.entries(variables ?? {}))
            if (WITH_PASSWORD.test(value)) report(`variables.${name} is a URL with a password`);
        }),
      ),
    },
    {
      name: "no-overwrite",
      description: "A stack does not take over other people's variables.",
      // Checks every resource that has this input.
      validateResource: ({ props }, report) => {
        if (props.onConflict === "overwrite") report('onConflict is "overwrite"');
      },
    },
    {
      name: "prune-with-keep",
      description: "A set that prunes says what it keeps.",
      // Checks the types.
      validateResource: ({ type, props }, report) => {
        if (SETS.includes(type) && props.prune === true && (props.keep ?? []).length === 0)
          report("prune is true, and keep names nothing");
      },
    },
  ],
});
