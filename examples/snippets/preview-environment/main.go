package main

import (
	"github.com/previewenv/pulumi-previewenv/sdk/go/previewenv"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		shop, err := previewenv.NewPreviewEnvironment(ctx, "shop", &previewenv.PreviewEnvironmentArgs{
			Environment: previewenv.PreviewEnvironmentEnvironmentArgs{
				RepoName:          pulumi.String("web"),
				PullRequestNumber: pulumi.Int(42),
			},
			VariableSets: map[string]previewenv.PreviewEnvironmentVariableSetArgs{
				"app": {
					Variables: pulumi.StringMap{"LOG_LEVEL": pulumi.String("debug")},
				},
				"database": {
					Secrets: pulumi.StringMap{"DATABASE_URL": config.RequireSecret(ctx, "databaseUrl")},
				},
			},
			// Written after the variables, so that one build has both.
			Branches: pulumi.StringMap{"web": pulumi.String("feature/checkout")},
		})
		if err != nil {
			return err
		}
		ctx.Export("url", shop.Url)
		return nil
	})
}
