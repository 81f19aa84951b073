// Generated from the declarations in provider/src by `npm run generate`. Do not edit.

export * from "./env-var-set";
export * from "./env-var";
export * from "./environment-branches";
export * from "./environment-state";
export * from "./environment-action";
export * from "./snapshot-load";
export * from "./get-environment";
export * from "./get-environments";
export * from "./get-build-history";
export * from "./get-env-vars";
export * from "./get-bypass-token";
export * from "./enums";
export type * from "./preview-environment";
