import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import type { IncomingMessage, RequestListener } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { identity } from "../../../tools/release/owner";

/**
 * Stands in for the portal of Maven Central, as https://central.sonatype.org/publish/publish-portal-api describes it. It unpacks what is published
 * into a repository of this machine.
 */
export function portal(repository: string, user: string, password: string): RequestListener {
  const token = Buffer.from(`${user}:${password}`).toString("base64");
  let problems: readonly string[] = [];
  const upload = async (request: IncomingMessage): Promise<string> => {
    await unpack(request, repository);
    problems = problemsOf(join(repository, ...identity.mavenGroup.split(".")));
    return "28570f16-da32-4c14-bd2e-c1acc0782365";
  };
  return (request, response) => {
    const [path] = (request.url ?? "").split("?");
    // "Bearer" in the documentation, "UserToken" from the Maven plugin.
    if (request.headers.authorization?.split(" ")[1] !== token) return response.writeHead(401).end();
    if (path === "/api/v1/publisher/published") return response.end('{"published":false}');
    if (path === "/api/v1/publisher/upload") return void upload(request).then((id) => response.writeHead(201).end(id));
    if (path !== "/api/v1/publisher/status") return response.writeHead(404).end();
    const deploymentState = problems.length === 0 ? "PUBLISHED" : "FAILED";
    const deployment = { deploymentId: "one", deploymentName: "one", purls: [], errors: { bundle: problems } };
    return response.end(JSON.stringify({ ...deployment, deploymentState }));
  };
}

/** Unpacks the one file of a form. */
async function unpack(request: IncomingMessage, repository: string): Promise<void> {
  const body = await buffer(request);
  const [, boundary = ""] = /boundary=(.+)$/u.exec(request.headers["content-type"] ?? "") ?? [];
  const file = join(repository, "bundle.zip");
  writeFileSync(file, body.subarray(body.indexOf("\r\n\r\n") + 4, body.lastIndexOf(`\r\n--${boundary}`)));
  execFileSync("python3", ["-m", "zipfile", "-e", file, repository]);
}

/** What Central refuses: each file needs its signature and its checksums, and classes need their sources and their documentation. */
function problemsOf(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const project = files.find((file) => file.endsWith(".pom"))?.slice(0, -".pom".length);
  if (project === undefined) return ["there is no .pom"];
  return [".pom", ".jar", "-sources.jar", "-javadoc.jar"].flatMap((part) =>
    ["", ".asc", ".md5", ".sha1"].flatMap((end) =>
      existsSync(join(folder, project + part + end)) ? [] : [`${project}${part}${end} is missing`],
    ),
  );
}
