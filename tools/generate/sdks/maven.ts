import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import manifest from "../../../package.json";
import { identity } from "../../release/owner";

/** The name of the package for Java, within the owner's group. */
export const MAVEN_ARTIFACT = "previewenv";

/** Writes beside the classes what Maven builds, signs and publishes them with, and what they tell the engine about the plugin. */
export function writeMavenProject(folder: string): void {
  // The generator's own build files are for Gradle, and publish to a place that is closed.
  for (const file of ["build.gradle", "settings.gradle"]) rmSync(path.join(folder, file));
  const resources = path.join(folder, "src", "main", "resources", ...identity.javaPackage.split("."), MAVEN_ARTIFACT);
  mkdirSync(resources, { recursive: true });
  const { version } = manifest;
  const plugin = { resource: true, name: "previewenv", version, server: identity.pluginDownloadUrl };
  writeFileSync(path.join(resources, "version.txt"), version);
  writeFileSync(path.join(resources, "plugin.json"), `${JSON.stringify(plugin, undefined, 2)}\n`);
  writeFileSync(path.join(folder, "pom.xml"), project());
}

/** What Maven Central asks of a package: https://central.sonatype.org/publish/requirements */
function project(): string {
  const { mavenGroup, publisher, securityContact, githubOwner, repository, repositoryUrl } = identity;
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>${escaped(mavenGroup)}</groupId>
  <artifactId>${MAVEN_ARTIFACT}</artifactId>
  <version>${manifest.version}</version>
  <name>${escaped(manifest.name)}</name>
  <description>${escaped(manifest.description)}</description>
  <url>${repositoryUrl}</url>
  <licenses>
    <license>
      <name>${manifest.license}</name>
      <url>https://www.apache.org/licenses/LICENSE-2.0.txt</url>
    </license>
  </licenses>
  <developers>
    <developer>
      <id>${githubOwner}</id>
      <name>${escaped(publisher)}</name>
      <email>${escaped(securityContact)}</email>
    </developer>
  </developers>
  <scm>
    <connection>scm:git:https://${repository}.git</connection>
    <url>${repositoryUrl}</url>
  </scm>
  <properties>
    <maven.compiler.release>11</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    ${dependency("com.pulumi", "pulumi", "1.12.0")}
    ${dependency("com.google.code.gson", "gson", "2.8.9")}
    ${dependency("com.google.code.findbugs", "jsr305", "3.0.2")}
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.11.0</version>
      </plugin>
    </plugins>
  </build>
  <profiles>
    <profile>
      <id>release</id>
      <build>
        <plugins>
          <plugin>
            <artifactId>maven-source-plugin</artifactId>
            <version>3.3.1</version>
            <executions>
              <execution>
                <goals><goal>jar-no-fork</goal></goals>
              </execution>
            </executions>
          </plugin>
          <plugin>
            <artifactId>maven-javadoc-plugin</artifactId>
            <version>3.11.2</version>
            <configuration><doclint>none</doclint></configuration>
            <executions>
              <execution>
                <goals><goal>jar</goal></goals>
              </execution>
            </executions>
          </plugin>
          <plugin>
            <artifactId>maven-gpg-plugin</artifactId>
            <version>3.2.7</version>
            <configuration><signer>bc</signer></configuration>
            <executions>
              <execution>
                <phase>verify</phase>
                <goals><goal>sign</goal></goals>
              </execution>
            </executions>
          </plugin>
          <plugin>
            <groupId>org.sonatype.central</groupId>
            <artifactId>central-publishing-maven-plugin</artifactId>
            <version>0.8.0</version>
            <extensions>true</extensions>
            <configuration>
              <publishingServerId>central</publishingServerId>
              <centralBaseUrl>\${env.PORTAL_URL}</centralBaseUrl>
              <autoPublish>true</autoPublish>
              <waitUntil>published</waitUntil>
            </configuration>
          </plugin>
        </plugins>
      </build>
    </profile>
  </profiles>
</project>
`;
}

function dependency(group: string, artifact: string, version: string): string {
  return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
