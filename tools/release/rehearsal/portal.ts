import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { join } from "node:path";

/** Stands in for the portal of Maven Central, as https://central.sonatype.org/publish/publish-portal-api describes it. */
export class Portal {
  readonly #repository: string;
  readonly #token: string;
  #problems: readonly string[] = [];

  /** @param repository The folder that has what is published, as Maven reads it. */
  constructor(repository: string, user: string, password: string) {
    this.#repository = repository;
    this.#token = Buffer.from(`${user}:${password}`).toString("base64");
    mkdirSync(repository, { recursive: true });
  }

  server(): Server {
    return createServer((request, response) => {
      const [path] = (request.url ?? "").split("?");
      void bodyOf(request).then((body) => {
        // "Bearer" in the documentation, "UserToken" from the Maven plugin.
        if (request.headers.authorization?.split(" ")[1] !== this.#token) return response.writeHead(401).end();
        if (path === "/api/v1/publisher/published") return response.end('{"published":false}');
        if (path === "/api/v1/publisher/upload") return response.writeHead(201).end(this.#publish(request, body));
        if (path === "/api/v1/publisher/status") return response.end(JSON.stringify(this.#status()));
        return response.writeHead(404).end();
      });
    });
  }

  #publish({ headers }: IncomingMessage, body: Buffer): string {
    const [, boundary = ""] = /boundary=(.+)$/u.exec(headers["content-type"] ?? "") ?? [];
    const bundle = body.subarray(body.indexOf("\r\n\r\n") + 4, body.lastIndexOf(`\r\n--${boundary}`));
    const file = join(this.#repository, "bundle.zip");
    writeFileSync(file, bundle);
    execFileSync("python3", ["-m", "zipfile", "-e", file, this.#repository]);
    this.#problems = problemsOf(this.#repository);
    return "28570f16-da32-4c14-bd2e-c1acc0782365";
  }

  #status(): object {
    const deploymentState = this.#problems.length === 0 ? "PUBLISHED" : "FAILED";
    return {
      deploymentId: "one",
      deploymentName: "one",
      deploymentState,
      purls: [],
      errors: { bundle: this.#problems },
    };
  }
}

/** What Central refuses: each file needs its signature and its checksums, and classes need their sources and their documentation. */
function problemsOf(repository: string): readonly string[] {
  const files = readdirSync(repository, { recursive: true, encoding: "utf8" });
  const project = files.find((file) => file.endsWith(".pom"))?.slice(0, -".pom".length);
  if (project === undefined) return ["there is no .pom"];
  return [".pom", ".jar", "-sources.jar", "-javadoc.jar"].flatMap((part) =>
    ["", ".asc", ".md5", ".sha1"].flatMap((end) =>
      existsSync(join(repository, project + part + end)) ? [] : [`${project}${part}${end} is missing`],
    ),
  );
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
