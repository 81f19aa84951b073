package main

import (
	"github.com/previewenv/pulumi-previewenv/sdk/go/previewenv"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		found := previewenv.GetEnvironmentsOutput(ctx, previewenv.GetEnvironmentsOutputArgs{RepoName: pulumi.String("web")})
		ctx.Export("environments", found.Environments())
		return nil
	})
}
