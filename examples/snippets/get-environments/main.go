package main

import (
	"github.com/previewenv/pulumi-previewenv/sdk/go/previewenv"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		// The variables of each environment of the repository `web`.
		repoName, complete := "web", true
		found, err := previewenv.GetEnvironments(ctx, &previewenv.GetEnvironmentsArgs{RepoName: &repoName, Complete: &complete})
		if err != nil {
			return err
		}
		for _, environment := range found.Environments {
			_, err := previewenv.NewPreviewEnvironment(ctx, environment.Id, &previewenv.PreviewEnvironmentArgs{
				Environment: previewenv.PreviewEnvironmentEnvironmentArgs{
					Id:   pulumi.String(environment.Id),
					Name: pulumi.String(environment.Name),
					Url:  pulumi.String(environment.Url),
				},
				VariableSets: map[string]previewenv.PreviewEnvironmentVariableSetArgs{
					"app": {Variables: pulumi.StringMap{"ENVIRONMENT": pulumi.String(environment.Name)}},
				},
				WhenStopped: previewenv.WhenStoppedSkip,
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}
