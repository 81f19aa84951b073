// Pulumi provider for the Environment Management API: variables, branches and builds of existing preview environments
package previewenv
