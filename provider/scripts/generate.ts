// A checkout that still calls this file gets tools/generate/main.ts.
export * from "../../tools/generate/main";
