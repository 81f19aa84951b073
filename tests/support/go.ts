import { execFileSync } from "node:child_process";

/** With it, Go finds what the set-up has compiled for Pulumi's language hosts. */
export function goEnvironment(): NodeJS.ProcessEnv {
  const names = ["GOPATH", "GOCACHE", "GOMODCACHE", "GOPROXY"];
  try {
    const values = execFileSync("go", ["env", ...names], { encoding: "utf8", stdio: "pipe" }).split("\n");
    const folders = names.map((name, index) => [name, values[index]]);
    return { ...Object.fromEntries(folders), GOFLAGS: "-buildvcs=false -trimpath" };
  } catch {
    return {};
  }
}
