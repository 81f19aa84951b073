package main

import (
	"github.com/previewenv/pulumi-previewenv/sdk/go/previewenv"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := previewenv.NewEnvVar(ctx, "database-url", &previewenv.EnvVarArgs{
			EnvironmentId: pulumi.String("11111111-1111-4111-8111-111111111142"),
			Name:          pulumi.String("DATABASE_URL"),
			Value:         config.RequireSecret(ctx, "databaseUrl"),
		})
		return err
	})
}
