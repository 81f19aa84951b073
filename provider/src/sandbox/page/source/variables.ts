import type { EnvironmentState, ShownVariable } from "../../control/answers";
import { order } from "./control";
import { field, fill, fromTemplate, onPress, part, showTime, sync, write } from "./elements";
import { offerUndo } from "./message";

/** The cells of a row. */
const rows = new WeakMap<HTMLElement, ShownVariable>();

/** The form that adds and edits variables. `known` are those that the environment has now. */
export function prepareVariables(
  card: HTMLElement,
  { id }: EnvironmentState,
  known: () => readonly ShownVariable[],
): void {
  const form = part(card, "variable-form", HTMLFormElement);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void save(form, id, known());
  });
  form.addEventListener("reset", () => edit(form, undefined));
}

/** Shows each variable as the service shows it. */
export function updateVariables(card: HTMLElement, environment: EnvironmentState): void {
  const { variables } = environment;
  part(card, "variables-table").hidden = variables.length === 0;
  sync(part(card, "variables"), variables, {
    kind: HTMLTableRowElement,
    key: ({ name }) => name,
    create: ({ name }) => createVariable(card, environment, name),
    update: (row, variable) => {
      rows.set(row, variable);
      updateVariable(row, variable);
    },
  });
}

function createVariable(card: HTMLElement, { id, name: where }: EnvironmentState, name: string): HTMLTableRowElement {
  const row = fromTemplate("variable", HTMLTableRowElement);
  const form = part(card, "variable-form", HTMLFormElement);
  onPress(part(row, "edit"), `Edit ${name} in ${where}`, () => edit(form, rows.get(row)));
  onPress(part(row, "delete"), `Delete ${name} in ${where}`, async () => {
    const variable = rows.get(row);
    const said = `Deleted ${name} in ${where}`;
    if (variable === undefined || !(await order("DELETE", "variables", { environmentId: id, name }, said))) return;
    offerUndo(said, () => order("POST", "variables", { environmentId: id, ...content(variable) }, `Restored ${name}`));
    // The button that had the focus is gone.
    part(card, "variables-heading").focus();
  });
  return row;
}

function updateVariable(row: HTMLElement, { name, shown, hidden, services, updatedAt }: ShownVariable): void {
  const texts = { name, value: shown, hidden: hidden ? "yes" : "no", services: services.join(", ") || "all" };
  fill(row, texts);
  showTime(part(row, "updated"), updatedAt);
}

/** Prepares the form for a variable, or for a new one. The value of a hidden one is not shown. */
function edit(form: HTMLFormElement, variable: ShownVariable | undefined): void {
  const value = field(form, "value");
  const name = field(form, "name");
  write(part(form, "form-title"), variable === undefined ? "Add a variable" : `Edit ${variable.name}`);
  form.dataset["edited"] = variable?.name ?? "";
  value.placeholder = variable?.hidden === true ? "leave empty to keep it" : "";
  name.readOnly = variable !== undefined;
  if (variable === undefined) return;
  name.value = variable.name;
  value.value = variable.hidden ? "" : variable.value;
  field(form, "services").value = variable.services.join(", ");
  field(form, "hidden").checked = variable.hidden;
  value.focus();
}

async function save(form: HTMLFormElement, environmentId: string, known: readonly ShownVariable[]): Promise<void> {
  const name = field(form, "name").value;
  const typed = field(form, "value").value;
  const edited = form.dataset["edited"] === name ? known.find((variable) => variable.name === name) : undefined;
  const services = field(form, "services")
    .value.split(",")
    .map((service) => service.trim());
  const variable = content({
    name,
    value: typed === "" && edited?.hidden === true ? edited.value : typed,
    hidden: field(form, "hidden").checked,
    services: services.filter(Boolean),
  });
  if (await order("POST", "variables", { environmentId, ...variable }, `Saved ${name}`)) form.reset();
}

type Content = Pick<ShownVariable, "name" | "value" | "hidden" | "services">;

function content({ name, value, hidden, services }: Content): Content {
  return { name, value, hidden, services };
}
