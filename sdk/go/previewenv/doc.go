// Code generated from provider/schema.json by `npm run generate:sdks`; DO NOT EDIT.

// Pulumi provider for the Environment Management API: variables, branches and builds of existing preview environments
package previewenv
