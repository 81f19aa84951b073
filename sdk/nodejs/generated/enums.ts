// Generated from the declarations in provider/src by `npm run generate`. Do not edit.

/** What `action` can be. The values may be written as they are, too. */
export const Action = {
  Stop: "stop",
  Restart: "restart",
  Rebuild: "rebuild",
  Revive: "revive",
  Cancel: "cancel",
} as const;

/** What `action` can be. */
export type Action = (typeof Action)[keyof typeof Action];

/** What `onConflict` can be. The values may be written as they are, too. */
export const OnConflict = {
  Fail: "fail",
  Overwrite: "overwrite",
} as const;

/** What `onConflict` can be. */
export type OnConflict = (typeof OnConflict)[keyof typeof OnConflict];

/** What `onDestroy` can be. The values may be written as they are, too. */
export const OnDestroy = {
  Retain: "retain",
  Restore: "restore",
} as const;

/** What `onDestroy` can be. */
export type OnDestroy = (typeof OnDestroy)[keyof typeof OnDestroy];

/** What `state` can be. The values may be written as they are, too. */
export const State = {
  Running: "running",
  Stopped: "stopped",
} as const;

/** What `state` can be. */
export type State = (typeof State)[keyof typeof State];

/** What `whenStopped` can be. The values may be written as they are, too. */
export const WhenStopped = {
  Fail: "fail",
  Skip: "skip",
  Wake: "wake",
} as const;

/** What `whenStopped` can be. */
export type WhenStopped = (typeof WhenStopped)[keyof typeof WhenStopped];
