package main

import (
	"github.com/previewenv/pulumi-previewenv/sdk/go/previewenv"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		found := previewenv.GetEnvironmentOutput(ctx, previewenv.GetEnvironmentOutputArgs{
			RepoName:          pulumi.String("web"),
			PullRequestNumber: pulumi.Int(42),
		})
		ctx.Export("url", found.Url())
		return nil
	})
}
