package main

import (
	"github.com/previewenv/pulumi-previewenv/sdk/go/previewenv"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		vars, err := previewenv.NewEnvVarSet(ctx, "vars", &previewenv.EnvVarSetArgs{
			EnvironmentId: pulumi.String("11111111-1111-4111-8111-111111111142"),
			Variables:     pulumi.StringMap{"LOG_LEVEL": pulumi.String("debug")},
		})
		if err != nil {
			return err
		}
		branches, err := previewenv.NewEnvironmentBranches(ctx, "branches", &previewenv.EnvironmentBranchesArgs{
			EnvironmentId: vars.EnvironmentId,
			Branches:      pulumi.StringMap{"web": pulumi.String("feature/checkout")},
			RebuildOn:     pulumi.Array{vars.Revision}, // one rebuild when variables changed and branches did not
		})
		if err != nil {
			return err
		}
		ctx.Export("url", branches.Url)
		return nil
	})
}
