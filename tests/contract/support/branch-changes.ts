import { expect } from "chai";
import type { Stage } from "../../support/stage";

/** Bodies of the branch changes that were sent: branch by repository. */
export function changes({ sent }: Stage): readonly unknown[] {
  return sent()
    .filter(({ body }) => body.includes("application"))
    .map(({ body }) => {
      const { data } = JSON.parse(body);
      expect(data).to.deep.include({ type: "application" });
      return Object.fromEntries(
        data.attributes.projects.map((one: { repo_name: string; branch: string }) => [one.repo_name, one.branch]),
      );
    });
}
