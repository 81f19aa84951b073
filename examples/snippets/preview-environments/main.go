package main

import (
	"github.com/previewenv/pulumi-previewenv/sdk/go/previewenv"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		pullRequestsOnly := true
		// One for each environment of an open pull request of the repository `web`.
		previews, err := previewenv.NewPreviewEnvironments(ctx, "web", &previewenv.PreviewEnvironmentsArgs{
			Match:            previewenv.PreviewEnvironmentsMatchArgs{RepoName: pulumi.String("web")},
			PullRequestsOnly: &pullRequestsOnly,
			VariableSets: map[string]previewenv.PreviewEnvironmentsVariableSetArgs{
				"app": {
					Variables: pulumi.StringMap{"LOG_LEVEL": pulumi.String("debug")},
					VariablesFrom: previewenv.VariablesFromMap{
						"PUBLIC_URL": previewenv.VariablesFromUrl,
						"PR_NUMBER":  previewenv.VariablesFromPullRequestNumber,
					},
				},
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("environments", previews.Environments)
		return nil
	})
}
