package main

import (
	"github.com/previewenv/pulumi-previewenv/sdk/go/previewenv"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		second, err := previewenv.NewProvider(ctx, "second", &previewenv.ProviderArgs{
			ApiToken: config.RequireSecret(ctx, "secondToken"),
		})
		if err != nil {
			return err
		}
		_, err = previewenv.NewEnvVarSet(ctx, "vars", &previewenv.EnvVarSetArgs{
			EnvironmentId: pulumi.String("11111111-1111-4111-8111-111111111142"),
			Variables:     pulumi.StringMap{"LOG_LEVEL": pulumi.String("debug")},
		}, pulumi.Provider(second))
		return err
	})
}
