//go:build tools

package tools

import _ "github.com/pulumi/pulumi/sdk/python/cmd/pulumi-language-python/v3"
