package main

import (
	"os"

	"github.com/previewenv/pulumi-previewenv/sdk/go/previewenv"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		text, err := os.ReadFile("shop.env")
		if err != nil {
			return err
		}
		shop := previewenv.VariablesFromDotenvOutput(ctx, previewenv.VariablesFromDotenvOutputArgs{
			Text: pulumi.String(string(text)),
		})
		_, err = previewenv.NewEnvVarSet(ctx, "vars", &previewenv.EnvVarSetArgs{
			EnvironmentId: pulumi.String("11111111-1111-4111-8111-111111111142"),
			// Readable, and named in a diff.
			Variables: pulumi.StringMap{"LOG_LEVEL": pulumi.String("debug")},
			Secrets:   shop.Variables(),
		})
		return err
	})
}
