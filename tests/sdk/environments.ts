/** Environments of two pull requests of the repository `web`, and one of no pull request. */
export const SHOP = environment("1", "shop-pr-7", { pullRequestNumber: 7 });
export const CART = environment("2", "cart-pr-8", { pullRequestNumber: 8 });
export const MAIN = environment("3", "main", {});

/** An environment as getEnvironments answers it. */
function environment(digit: string, name: string, project: { readonly pullRequestNumber?: number }) {
  const projects = [{ repoName: "web", orgName: "acme", branch: "main", commitHash: "c0ffee", ...project }];
  const flags = { processing: false, ready: true, retired: false, deleted: false, stopped: false };
  const id = `${digit.repeat(8)}-1111-4111-8111-111111111111`;
  return { id, name, url: `https://${name}.example`, ...flags, projects };
}
