package main

import (
	"github.com/previewenv/pulumi-previewenv/sdk/go/previewenv"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := previewenv.NewEnvVarSet(ctx, "vars", &previewenv.EnvVarSetArgs{
			EnvironmentId: pulumi.String("11111111-1111-4111-8111-111111111142"),
			Variables:     pulumi.StringMap{"LOG_LEVEL": pulumi.String("debug")},
			// Must be there; its value is the service's.
			Secrets: pulumi.StringMap{"SESSION_KEY": pulumi.String("previewenv:existing:v1")},
		})
		return err
	})
}
