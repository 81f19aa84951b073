// Pulumi provider for the Environment Management API: variables, branches and builds of preview environments
package previewenv
