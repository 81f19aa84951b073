//go:build tools

package tools

import _ "github.com/pulumi/pulumi-dotnet/pulumi-language-dotnet/v3"
