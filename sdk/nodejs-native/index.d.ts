// Generated from package.json and tools/release/identity.json by `npm run generate`. Do not edit.

export * from "pulumi-previewenv/native";
