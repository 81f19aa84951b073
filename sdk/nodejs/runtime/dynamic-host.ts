import { randomUUID } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { requireDynamicEntry } from "./dynamic-entry";
import { dynamicType, type Host, nativeType } from "./host";
import { isMocked, perRun } from "./program-run";

/** The engine does not tell a dynamic provider what is a preview, nor when another one begins. So the program does. */
const preview = perRun(() => ({ run: randomUUID() }));

/** Pulumi's dynamic provider: a Node.js process that loads the package the program has installed. */
export const dynamicHost: Host = {
  entry: "pulumi-previewenv",
  label: "the dynamic provider",
  providerPackage: "pulumi-nodejs",
  plugin: undefined,
  typeOf: dynamicType,
  aliasOf: nativeType,
  // The provider is not captured in the program: state holds one constant line, which loads the installed package. That
  // line is a promise to every state file ever written and never changes.
  extrasOf: (type) => ({
    __provider: `exports.handler = () => require("pulumi-previewenv/dynamic").provider("${type}");`,
  }),
  // Nobody checks a mocked resource, and unit tests compare inputs.
  hintsOf: () => (pulumi.runtime.isDryRun() && !isMocked() ? { __preview: preview().run } : {}),
  settingKey: (name) => `previewenv:${name}`,
  refuse(label, opts) {
    if (opts.import !== undefined)
      throw new pulumi.RunError(
        `${label}: the option \`import\` does not work with Pulumi's dynamic provider. Import the classes from ` +
          '"pulumi-previewenv/native", which uses the plugin: `import * as previewenv from "pulumi-previewenv/native";`.',
      );
    requireDynamicEntry();
  },
};
