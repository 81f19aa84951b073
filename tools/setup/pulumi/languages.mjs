import { programName } from "./programs.mjs";

/**
 * @typedef {object} Host What lets the CLI run programs of a language.
 * @property {string} language
 * @property {import("./go-build.mjs").GoProgram} build
 * @property {{ module: string, path: string }} [script] A file of another module that has to lie beside it.
 */

/**
 * Those that tests run programs with. Pulumi's installations bring all of them along.
 * @type {readonly Host[]}
 */
export const HOSTS = [
  {
    language: "YAML",
    build: {
      module: "yaml-host",
      program: programName("pulumi-language-yaml"),
      package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
    },
  },
  {
    language: "Python",
    build: {
      module: "python-host",
      program: programName("pulumi-language-python"),
      package: "github.com/pulumi/pulumi/sdk/python/cmd/pulumi-language-python/v3",
    },
    script: { module: "github.com/pulumi/pulumi/sdk/v3", path: "python/cmd/pulumi-language-python-exec" },
  },
  {
    language: "Go",
    build: {
      module: "go-host",
      program: programName("pulumi-language-go"),
      package: "github.com/pulumi/pulumi/sdk/go/pulumi-language-go/v3",
    },
  },
];

/**
 * Those that only generate the SDK of their language. Pulumi's installations bring them along too.
 * @type {readonly Host[]}
 */
export const GENERATORS = [
  {
    language: ".NET",
    build: {
      module: "dotnet-host",
      program: programName("pulumi-language-dotnet"),
      package: "github.com/pulumi/pulumi-dotnet/pulumi-language-dotnet/v3",
    },
  },
  {
    language: "Java",
    build: {
      module: "java-host",
      program: programName("pulumi-language-java"),
      package: "github.com/pulumi/pulumi-java/pkg/cmd/pulumi-language-java",
    },
  },
];
