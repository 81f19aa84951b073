package main

import (
	"github.com/previewenv/pulumi-previewenv/sdk/go/previewenv"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		// The environment of pull request 42 of the repository `web`.
		shop := previewenv.GetEnvironmentOutput(ctx, previewenv.GetEnvironmentOutputArgs{
			RepoName:          pulumi.String("web"),
			PullRequestNumber: pulumi.Int(42),
		})

		vars, err := previewenv.NewEnvVarSet(ctx, "vars", &previewenv.EnvVarSetArgs{
			EnvironmentId: shop.Id(),
			Variables: pulumi.StringMap{ // readable in the dashboard
				"LOG_LEVEL":        pulumi.String("debug"),
				"FEATURE_CHECKOUT": pulumi.String("on"),
			},
			Secrets: pulumi.StringMap{ // masked by the service, encrypted in state
				"DATABASE_URL": config.RequireSecret(ctx, "databaseUrl"),
			},
			Services: pulumi.ToStringArray([]string{"web", "worker"}), // without this line: every service
		})
		if err != nil {
			return err
		}

		branches, err := previewenv.NewEnvironmentBranches(ctx, "branches", &previewenv.EnvironmentBranchesArgs{
			EnvironmentId: shop.Id(),
			// Repositories that are not named keep their branch.
			Branches: pulumi.StringMap{"web": pulumi.String("feature/checkout")},
			// One rebuild when variables changed and branches did not.
			RebuildOn: pulumi.Array{vars.Revision},
		})
		if err != nil {
			return err
		}

		ctx.Export("url", branches.Url)
		return nil
	})
}
