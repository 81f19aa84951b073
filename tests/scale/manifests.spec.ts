import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { parse } from "yaml";
import * as z from "zod";

const EXAMPLES = join(__dirname, "..", "..", "examples", "scale");

/**
 * Of the schemas that Pulumi publishes (copyright Pulumi Corporation, Apache License 2.0), and not on npm, the properties that the examples use.
 * Any other is refused, as Kubernetes does with `--validate=strict`: Pulumi Cloud would drop it without a word.
 */
const object = <Shape extends z.core.$ZodShape>(shape: Shape) => z.strictObject(shape).partial();

/** Version `v1` of deploy/crds/pulumi.com_stacks.yaml of github.com/pulumi/pulumi-kubernetes-operator at 475dbc6c9d34ccab38ba1d3b16c924dd8a1c59b1. */
const Stack = object({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({}),
  spec: object({
    branch: z.string(),
    continueResyncOnCommitMatch: z.boolean(),
    destroyOnFinalize: z.boolean(),
    envRefs: z.record(
      z.string(),
      object({
        literal: z.strictObject({ value: z.string() }),
        secret: z.strictObject({ key: z.string(), name: z.string() }),
        type: z.string(),
      }).required({ type: true }),
    ),
    projectRepo: z.string(),
    refresh: z.boolean(),
    resyncFrequencySeconds: z.int(),
    serviceAccountName: z.string(),
    shallow: z.boolean(),
    stack: z.string(),
    updateTemplate: object({ spec: object({ parallel: z.int32() }) }),
    workspaceTemplate: object({ spec: object({ image: z.string() }) }),
  }).required({ stack: true }),
});

/** provider/pkg/cloud/spec.json of github.com/pulumi/pulumi-pulumiservice at dc76a0186fd9f1381646a19f2c47b59e8e8cd500. */
const DeploymentSettingsRequest = object({
  cacheOptions: object({ enable: z.boolean() }),
  executorContext: object({ executorImage: object({ reference: z.string() }) }),
  gitHub: object({
    deployCommits: z.boolean(),
    previewPullRequests: z.boolean(),
    pullRequestTemplate: z.boolean(),
    repository: z.string(),
  }).required({ pullRequestTemplate: true }),
  operationContext: object({
    environmentVariables: z.record(z.string(), z.strictObject({ secret: z.string() })),
    options: object({ skipIntermediateDeployments: z.boolean() }),
  }),
  sourceContext: object({ git: object({ branch: z.string(), repoDir: z.string(), repoUrl: z.string() }) }),
});
const CreateScheduledDriftDeploymentRequest = object({ autoRemediate: z.boolean(), scheduleCron: z.string() });

describe("examples/scale and what the published schemas say", () => {
  for (const [file, schema] of [
    ["stack.yaml", Stack],
    ["deployment-settings.json", DeploymentSettingsRequest],
    ["drift-schedule.json", CreateScheduledDriftDeploymentRequest],
  ] as const)
    it(`${file} is valid`, () => {
      // JSON is YAML.
      const { error } = schema.safeParse(parse(readFileSync(join(EXAMPLES, file), "utf8")));
      expect(error?.issues ?? []).to.deep.equal([]);
    });
});
