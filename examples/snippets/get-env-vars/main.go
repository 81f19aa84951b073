package main

import (
	"github.com/previewenv/pulumi-previewenv/sdk/go/previewenv"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		found := previewenv.GetEnvVarsOutput(ctx, previewenv.GetEnvVarsOutputArgs{
			EnvironmentId: pulumi.String("11111111-1111-4111-8111-111111111142"),
		})
		ctx.Export("variables", found.Variables())
		return nil
	})
}
