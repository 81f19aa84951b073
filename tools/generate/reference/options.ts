/** The effects of Pulumi's resource options on the resources of this provider. `tests/engine/resource-options.outside.spec.ts` proves each row. */
export const options = {
  aliases: "After a rename or a move into a component, the resource stays the same. The `up` sends nothing.",
  customTimeouts: "Only with the plugin: limits the whole step.",
  deleteBeforeReplace:
    "A replacement deletes the variables first. Until the new resource has written them, they are missing.",
  deletedWith:
    "If the same run deletes the other resource, Pulumi removes this one without a request. Its variables stay on the service.",
  hooks:
    "Hooks run in the program. If you remove a resource with a delete hook, keep the hook in the program. Otherwise the `up` " +
    "fails after the delete.",
  ignoreChanges:
    'With `["variables.LOG_LEVEL"]`, the provider does not write this variable if the program changes it. If somebody else changes it, a ' +
    "refresh reads the new value into state. Without a refresh, an `up` that writes the variable for another reason, such as other " +
    "`services`, writes the value in state. The same holds for a branch. A component ignores this option: give it to the children, " +
    "with `transforms`.",
  import: "Only with the plugin: adds what exists to the stack.",
  protect:
    "Pulumi refuses to delete or replace the resource. It still updates the resource, and deletes single variables.",
  replaceOnChanges:
    "A replacement writes the new values and deletes only what is no longer declared. An `EnvironmentBranches` forgets the original branches.",
  retainOnDelete:
    "When Pulumi deletes the resource, its variables stay on the service. State must already have this option: first run `pulumi " +
    "up` with it.",
} as const;
