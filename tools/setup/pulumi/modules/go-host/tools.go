//go:build tools

package tools

import _ "github.com/pulumi/pulumi/sdk/go/pulumi-language-go/v3"
