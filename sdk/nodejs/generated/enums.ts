// Generated from the declarations in provider/src by `npm run generate`. Do not edit.

/** What `action` can be. The values may be written as they are, too. */
export const Action = {
  /** Stops the environment. */
  Stop: "stop",
  /** Starts a retired environment. The service may refuse it for one that is only stopped. */
  Restart: "restart",
  /** Builds the environment again, with the branches and variables that it has. */
  Rebuild: "rebuild",
  /** Brings a deleted environment back. */
  Revive: "revive",
  /** Ends the latest build that is running. */
  Cancel: "cancel",
} as const;

/** What `action` can be. */
export type Action = (typeof Action)[keyof typeof Action];

/** What `onConflict` can be. The values may be written as they are, too. */
export const OnConflict = {
  /** The `up` fails before any write. The error names all such variables. */
  Fail: "fail",
  /** The variables are written as the program declares them. */
  Overwrite: "overwrite",
} as const;

/** What `onConflict` can be. */
export type OnConflict = (typeof OnConflict)[keyof typeof OnConflict];

/** What `onDestroy` can be. The values may be written as they are, too. */
export const OnDestroy = {
  /** Nothing changes: the environment keeps the branches it has. */
  Retain: "retain",
  /** The declared repositories get back the branches that were found at create. */
  Restore: "restore",
} as const;

/** What `onDestroy` can be. */
export type OnDestroy = (typeof OnDestroy)[keyof typeof OnDestroy];

/** What `onUnlisted` can be. The values may be written as they are, too. */
export const OnUnlisted = {
  /** They stay on the service as they are, and a warning names the environment. */
  Keep: "keep",
  /** They are deleted and restored as `onDestroy` says. */
  Delete: "delete",
} as const;

/** What `onUnlisted` can be. */
export type OnUnlisted = (typeof OnUnlisted)[keyof typeof OnUnlisted];

/** What `state` can be. The values may be written as they are, too. */
export const State = {
  /** The environment is not stopped, not retired and not deleted. */
  Running: "running",
  /** The environment is stopped, retired or deleted. */
  Stopped: "stopped",
} as const;

/** What `state` can be. */
export type State = (typeof State)[keyof typeof State];

/** What `variablesFrom` can be. The values may be written as they are, too. */
export const VariablesFrom = {
  /** The UUID of the environment. */
  Id: "id",
  /** The name of the environment. */
  Name: "name",
  /** The address of the deployed environment. Empty when the list of environments has none. */
  Url: "url",
  /** The pull request of the first repository that fits `match` and has a pull request. */
  PullRequestNumber: "pullRequestNumber",
  /** The branch of that repository, or else of the first repository that fits `match`. */
  Branch: "branch",
} as const;

/** What `variablesFrom` can be. */
export type VariablesFrom = (typeof VariablesFrom)[keyof typeof VariablesFrom];

/** What `whenStopped` can be. The values may be written as they are, too. */
export const WhenStopped = {
  /** The `up` fails. A destroy that has branches to restore fails too. */
  Fail: "fail",
  /**
   * The `up` warns and postpones the build. The first `up` after a refresh has seen the environment running requests
   * it. A destroy warns and restores nothing.
   */
  Skip: "skip",
  /**
   * The build starts the environment. When branches differ, they are built first, and the environment is started
   * after that build unless it runs already. A destroy warns and restores nothing.
   */
  Wake: "wake",
} as const;

/** What `whenStopped` can be. */
export type WhenStopped = (typeof WhenStopped)[keyof typeof WhenStopped];
