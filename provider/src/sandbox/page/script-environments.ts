/** Environments with their branches, builds and variables, and what can be changed about them. */
export const scriptEnvironments = `
const OUTCOMES = { inFlight: ["building", "busy"], succeeded: ["succeeded", "good"], failed: ["failed", "bad"] };
const FLAGS = [["ready", "good"], ["processing", "busy"], ["stopped", ""], ["retired", ""], ["deleted", "bad"]];
const BUILDS_SHOWN = 4;
const SHORT_ID = 8;

/** The newest state of each environment, by id. */
const current = new Map();

function showEnvironments(environments) {
  current.clear();
  for (const environment of environments) current.set(environment.id, environment);
  sync(byId("environments"), environments, {
    key: ({ id }) => id, create: createEnvironment, update: updateEnvironment,
  });
  const names = new Set(environments.flatMap(({ variables }) => variables.map(({ name }) => name)));
  sync(byId("variable-names"), [...names], {
    key: (name) => name,
    create: () => document.createElement("option"),
    update: (option, name) => { if (option.value !== name) option.value = name; },
  });
}

function createEnvironment({ id, name, deleted, stopped, retired }) {
  const element = fromTemplate("environment");
  element.open = !deleted && !stopped && !retired;
  element.setAttribute("aria-label", name);
  const form = part(element, "variable-form");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void saveVariable(id, form);
  });
  form.addEventListener("reset", () => edit(form, undefined));
  return element;
}

function updateEnvironment(element, environment) {
  const { id, name, url, builds, variables } = environment;
  const header = element.querySelector("summary");
  fill(header, { name, id, url });
  const flags = FLAGS.filter(([flag]) => environment[flag]);
  sync(part(header, "badges"), flags, {
    key: ([flag]) => flag,
    create: () => Object.assign(document.createElement("span"), { className: "badge" }),
    update: (badge, [flag, kind]) => mark(badge, flag, kind),
  });
  sync(part(element, "branches"), environment.projects, {
    key: ({ orgName, repoName }) => orgName + "/" + repoName,
    create: (project) => createBranch(environment, project),
    update: updateBranch,
  });
  fill(element, { "build-count": "(" + builds.length + ")", "variable-count": "(" + variables.length + ")" });
  sync(part(element, "builds"), builds.slice(0, BUILDS_SHOWN), {
    key: (build) => build.id, create: () => fromTemplate("build"), update: updateBuild,
  });
  part(element, "variables-table").hidden = variables.length === 0;
  sync(part(element, "variables"), variables, {
    key: (variable) => variable.name,
    create: (variable) => createVariable(element, id, variable.name),
    update: updateVariable,
  });
}

function createBranch({ id, name }, { repoName }) {
  const element = fromTemplate("branch");
  const form = element.querySelector("form");
  const input = form.elements.branch;
  input.setAttribute("aria-label", "Another branch for " + repoName + " in " + name);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const branch = input.value;
    const said = "Switched " + repoName + " in " + name + " to " + branch;
    if (await order("POST", "branches", { environmentId: id, repoName, branch }, said)) form.reset();
  });
  return element;
}

function updateBranch(element, { orgName, repoName, branch, commitHash, pullRequestNumber }) {
  const request = pullRequestNumber === undefined ? "" : " #" + pullRequestNumber;
  fill(element, { repo: orgName + "/" + repoName, branch, commit: commitHash.slice(0, SHORT_ID) + request });
}

function updateBuild(element, { id, outcome, queuedAt }) {
  mark(part(element, "outcome"), ...OUTCOMES[outcome]);
  fill(element, { id: id.slice(0, SHORT_ID), queued: readable(queuedAt) });
}

function createVariable(section, environmentId, name) {
  const element = fromTemplate("variable");
  const variable = () => current.get(environmentId)?.variables.find((candidate) => candidate.name === name);
  part(element, "edit").setAttribute("aria-label", "Edit " + name);
  part(element, "edit").addEventListener("click", () => edit(part(section, "variable-form"), variable()));
  part(element, "delete").setAttribute("aria-label", "Delete " + name);
  part(element, "delete").addEventListener("click", async () => {
    const isDone = await order("DELETE", "variables", { environmentId, name }, "Deleted " + name);
    // The button that had the focus is gone.
    if (isDone) part(section, "variables-heading").focus();
  });
  return element;
}

function updateVariable(element, { name, shown, hidden, services, updatedAt }) {
  fill(element, {
    name, value: shown, hidden: hidden ? "yes" : "no", services: services.join(", ") || "all", updated: readable(updatedAt),
  });
}

/** Prepares the form for a variable, or for a new one. The value of a hidden one is not shown. */
function edit(form, variable) {
  const { name, value, services, hidden } = form.elements;
  write(part(form, "form-title"), variable === undefined ? "Add a variable" : "Edit " + variable.name);
  form.dataset.edited = variable?.name ?? "";
  value.placeholder = variable?.hidden ? "leave empty to keep it" : "";
  name.readOnly = variable !== undefined;
  if (variable === undefined) return;
  name.value = variable.name;
  value.value = variable.hidden ? "" : variable.value;
  services.value = variable.services.join(", ");
  hidden.checked = variable.hidden;
  value.focus();
}

async function saveVariable(environmentId, form) {
  const fields = form.elements;
  const name = fields.name.value;
  const known = current.get(environmentId)?.variables.find((candidate) => candidate.name === name);
  const keeps = form.dataset.edited === name && fields.value.value === "" && known?.hidden === true;
  const variable = {
    name,
    value: keeps ? known.value : fields.value.value,
    hidden: fields.hidden.checked,
    services: fields.services.value.split(",").map((service) => service.trim()).filter(Boolean),
  };
  if (await order("POST", "variables", { environmentId, ...variable }, "Saved " + name)) form.reset();
}
`;
