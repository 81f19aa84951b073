import { join } from "node:path";
import { AGAIN, destroy, DRIFT, type Guide, REQUESTS, type Step, up } from "./guide";
import { also, expecting, fencesOf, follow, read, ROOT } from "./fences";

const ADOPTION = "docs/guides/adoption.md";
const QUICKSTART = "docs/guides/quickstart-typescript.md";
const { PUT, DELETE, PATCH, REBUILD } = REQUESTS;
const NO_WARNING = /^(?!.*warning:)/su;

/** What the quickstart does before a command. Nothing is on the service yet. */
function quickstartUntil(run: string): readonly Step[] {
  const steps = follow(QUICKSTART);
  return steps.slice(
    0,
    steps.findIndex((step) => step.run === run),
  );
}

const SANDBOX: Step = { run: "npx pulumi-previewenv sandbox" };

/** README.md in its order, for somebody who has never seen the checkout. */
export function readme(): Guide {
  // Its last section comes after the clean-up on the page, and needs a stack. With drift: the guide to drift.
  const drift = expecting(
    follow("README.md", "Find drift on a schedule"),
    { run: DRIFT, shows: /in sync: dev/u, writes: [] },
    { run: `${DRIFT} --stack dev --heal`, shows: /in sync: dev/u, writes: [] },
  );
  const check = fencesOf("README.md")
    .flatMap(({ lines }) => lines.filter((line) => line.includes("| curl ")))
    .join("\n");
  const steps = expecting(
    follow("README.md", "Try it"),
    up(PATCH, PUT),
    // The check of a service. The sandbox passes it.
    also({
      run: `PREVIEWENV_BASE_URL=http://127.0.0.1:4010 PREVIEWENV_API_TOKEN=sandbox-token; ${check}`,
      shows: /^"type":"application"$/mu,
    }),
    { run: "pulumi up --diff", shows: /\+ LOG_LEVEL/u, writes: [REBUILD, PUT] },
    ...drift.map((step) => ({ ...step, isAdded: true })),
    destroy(DELETE),
  );
  return { title: "README.md", steps };
}

/** The quickstart, with a secret that changes. Then its program is tested, as the page on tests does. */
export function quickstart(): Guide {
  const changed = { run: "pulumi preview --diff", shows: /LOG_LEVEL/u, writes: [] };
  const steps = expecting(
    follow(QUICKSTART),
    up(PATCH, PUT),
    up(),
    changed,
    up(REBUILD, PUT),
    { ...changed, shows: /\+ LOG_LEVEL/u },
    up(REBUILD, PUT),
    ...expecting(
      follow("docs/guides/secrets.md", "Change a secret"),
      { run: "pulumi config set --secret databaseUrl", enters: "postgres://shop:other@db.internal/shop" },
      { ...changed, shows: /DATABASE_URL: \[secret\] => \[secret\]/u },
      up(REBUILD, PUT),
    ).map((step) => ({ ...step, isAdded: true })),
    destroy(DELETE),
    { run: "pulumi stack rm dev --yes", writes: [] },
    // Its program says "info" by now, and that of the test expects what README has.
    also({ run: "mv index.ts.old index.ts" }),
  );
  const passes = (file: string): Step => ({ run: `node --test ${file}`, shows: /pass 1\n/u, writes: [] });
  return {
    title: `${QUICKSTART}, a changed secret, and tests of its program`,
    steps: [
      ...steps,
      ...expecting(follow("docs/sandbox.md", "Test what a program does"), passes("preview.test.mts")),
      ...expecting(follow("docs/sandbox.md", "Test what a program declares"), passes("unit.test.mts")),
      // The other entry, with the type that the comment names.
      { run: `sed -i.old 's|"pulumi-previewenv"|"pulumi-previewenv/native"|' index.ts` },
      { run: `sed -i.old 's|^const SET = .*|const SET = "previewenv:index:EnvVarSet"|' unit.test.mts` },
      passes("unit.test.mts"),
    ],
  };
}

/** The sandbox in tests of programs in any language. */
export function sandboxInTests(): Guide {
  const page = "docs/sandbox.md";
  const steps = expecting(follow(page, "In any language"), {
    run: "curl -fsS http://127.0.0.1:4010/__sandbox/journal",
    shows: /"entries"/u,
  });
  return { title: `${page}, in any language`, steps };
}

/** Every import that the guide shows, each in a stack of its own. */
export function imports(pluginInstall: readonly Step[]): Guide {
  const service = { run: "export PREVIEWENV_BASE_URL=http://127.0.0.1:4010 PREVIEWENV_API_TOKEN=sandbox-token" };
  const lines = follow(ADOPTION, "Import");
  const each = lines.flatMap((line, index) => [{ run: `pulumi stack init import-${index}` }, { ...line, writes: [] }]);
  return {
    title: `${ADOPTION}, import`,
    plugin: true,
    steps: [...quickstartUntil("pulumi up"), ...pluginInstall, service, ...each],
  };
}

/** Nothing is written, and nothing is warned of: the preview looks at the service, and finds what the program declares. */
const ADOPTED: Step = { ...up(), shows: NO_WARNING };

/** An environment that is adopted, and a secret that is taken over. What a destroy leaves: tests/engine/adoption.outside.spec.ts. */
export function adoption(): Guide {
  const config = 'import * as pulumi from "@pulumi/pulumi"; const config = new pulumi.Config(); ';
  // Its line says what takes the place of existing().
  const declared: Step = {
    run: `sed -i.old -e '1s|^|${config}|' -e 's|\\(SESSION_KEY: \\).*, // \\(.*\\)$|\\1\\2,|' index.ts`,
  };
  return {
    title: `${ADOPTION}, in TypeScript`,
    steps: [
      SANDBOX,
      ...follow(ADOPTION, ""),
      ...expecting(follow(ADOPTION, "In TypeScript"), ADOPTED),
      { run: "npx tsc --noUnusedLocals", writes: [] },
      ...follow(ADOPTION, "Take the secrets over, one by one"),
      declared,
      { run: `grep 'SESSION_KEY: config.requireSecret("SESSION_KEY"),$' index.ts` },
      { run: "grep -c 'previewenv.existing()' index.ts", shows: /^1$/mu },
      up(PUT),
      AGAIN,
      destroy(DELETE),
    ],
  };
}

/** The same in YAML, given back without a change. */
export function adoptionInYaml(pluginInstall: readonly Step[]): Guide {
  return {
    title: `${ADOPTION}, in YAML`,
    language: "yaml",
    plugin: true,
    steps: [
      // For `npx`, which has no registry here.
      { run: "npm install pulumi-previewenv @pulumi/pulumi typescript@6" },
      SANDBOX,
      ...pluginInstall,
      ...follow(ADOPTION, ""),
      ...expecting(follow(ADOPTION, "In YAML"), ADOPTED),
      AGAIN,
      ...expecting(follow(ADOPTION, "Before you run `pulumi destroy`"), {
        run: "pulumi stack rm shop --force --preserve-config --yes",
        writes: [],
      }),
    ],
  };
}

/** The program of the page: its previews find what its `up` would fail for, and the `up` is good once that is mended. */
export function previews(): Guide {
  const page = "docs/guides/previews.md";
  const edit = (from: string, to: string): Step => ({ run: `sed -i.old 's|${from}|${to}|' index.ts` });
  return {
    title: page,
    steps: [
      ...quickstartUntil("pulumi up"),
      ...expecting(follow(page), {
        run: "pulumi preview",
        code: 1,
        shows: /no repository "wbe".*Did you mean "web"/u,
        writes: [],
      }),
      edit("wbe:", "web:"),
      {
        run: "pulumi preview",
        shows: /^(?=.*already has a variable.*: NODE_ENV\.)(?=.*lacks the variable API_KEY)/su,
        writes: [],
      },
      edit("API_KEY", "NODE_ENV"),
      edit("variables:", 'onConflict: "overwrite", variables:'),
      { run: "pulumi up", shows: /^(?!.*warning:).*1 written \(NODE_ENV\)/su, writes: [PATCH, PUT] },
    ],
  };
}

/** Secrets in a file that SOPS encrypts. A refresh and a destroy need no key. */
export function sops(): Guide {
  const page = "docs/guides/secrets.md";
  return {
    title: `${page}, SOPS`,
    sops: true,
    steps: [
      ...quickstartUntil("pulumi up"),
      ...expecting(
        follow(page, "SOPS"),
        also({ run: "export EDITOR='cp edited.json'" }),
        also({ run: `echo '{ "API_KEY": "a#key\\nof two lines" }' > edited.json` }),
        { run: "sops edit secrets.json" },
        up(PUT),
        also({ run: "! grep -q 'of two lines' secrets.json" }),
        also({ run: "sops exec-env secrets.json 'printenv API_KEY'", shows: /a#key\nof two lines/u }),
        also(AGAIN),
        also({ run: "mv key.txt elsewhere.txt" }),
        also({ run: "pulumi refresh --yes --skip-preview", writes: [] }),
        also(destroy(DELETE)),
      ),
    ],
  };
}

/** Rules that the quickstart keeps, and then breaks: with the dynamic provider, and with the plugin. */
export function policy(pluginInstall: readonly Step[]): Guide {
  const folder = "examples/policy";
  const preview = "pulumi preview --policy-pack policy";
  const rules = ["no-visible-password", "no-overwrite", "prune-with-keep"].map((name) => `(?=.*mandatory\\] +${name})`);
  const refused: Step = { run: preview, code: 1, shows: new RegExp(`^${rules.join("")}`, "su"), writes: [] };
  const edit = (from: string, to: string): Step => ({ run: `sed -i.old 's|${from}|${to}|' index.ts` });
  return {
    title: folder,
    plugin: true,
    steps: [
      ...quickstartUntil("pulumi up"),
      ...pluginInstall,
      { run: `cp -R '${join(ROOT, folder)}' policy` },
      // The set-up's host for Node runs a policy in the folder of the program, where a policy looks for its version.
      { run: "npm pkg set version=1.0.0" },
      ...expecting(follow(`${folder}/README.md`), { run: preview, shows: /✅ previewenv/u, writes: [] }),
      edit('LOG_LEVEL: "debug"', 'LOG_LEVEL: "amqp://shop:demo@queue"'),
      edit("services: ", 'onConflict: "overwrite", prune: true, services: '),
      refused,
      edit('"pulumi-previewenv"', '"pulumi-previewenv/native"'),
      refused,
    ],
  };
}

/** The resources that no other guide declares, one after the other, as examples/snippets has them: each is created and removed. */
export function snippets(): Guide {
  const program = (name: string): Step => ({
    run: `cat > index.ts <<'END OF FILE'\n${read(`examples/snippets/${name}/index.ts`)}END OF FILE`,
  });
  return {
    title: "EnvVar, EnvironmentState, EnvironmentAction and SnapshotLoad of examples/snippets",
    steps: [
      ...quickstartUntil("pulumi up"),
      program("env-var"),
      up(PUT),
      program("environment-state"),
      up(DELETE),
      program("environment-action"),
      up(REBUILD),
      program("snapshot-load"),
      up("POST /snapshot-load"),
      destroy(),
    ],
  };
}
