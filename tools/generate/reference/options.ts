/** The effects of Pulumi's resource options on the resources of this provider. `tests/engine/resource-options.outside.spec.ts` proves each row. */
export const options = {
  aliases: "After a rename or a move into a component, the resource stays the same one. The `up` sends nothing.",
  customTimeouts:
    "Limits the whole step, only with the plugin. The dynamic provider has `buildTimeoutSeconds` and `timeoutSeconds`.",
  deleteBeforeReplace:
    "A replacement deletes the variables first. Until the new resource has written them, they are missing.",
  deletedWith:
    "If the other resource is deleted in the same run, this one goes without a request. Its variables stay on the service.",
  hooks:
    "They run in the program. If a resource with a delete hook goes, the program must still create the hook. Otherwise the `up` fails after the delete.",
  ignoreChanges:
    'Pulumi keeps what state has, such as for `["variables.LOG_LEVEL"]`. Neither the program nor a change by hand leads to a write of that ' +
    "variable, but a refresh reads it into state.",
  import: "Takes over what exists, with the id that each resource names. Only with the plugin.",
  protect: "Pulumi refuses to delete or replace the resource. Updates, and deletes of single variables, go on.",
  replaceOnChanges:
    "A replacement writes the new values and deletes only what is no longer declared. An `EnvironmentBranches` forgets the original branches.",
  retainOnDelete:
    "The variables stay on the service when the resource is deleted. It must be in state first: run `pulumi up` before.",
} as const;
