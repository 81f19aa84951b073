package main

import (
	"github.com/previewenv/pulumi-previewenv/sdk/go/previewenv"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := previewenv.NewEnvironmentAction(ctx, "rebuild", &previewenv.EnvironmentActionArgs{
			EnvironmentId: pulumi.String("11111111-1111-4111-8111-111111111142"),
			Action:        previewenv.ActionRebuild,
			// Another image: another rebuild.
			Triggers: pulumi.StringMap{"image": pulumi.String("registry.example.com/shop:2.4.1")},
		})
		return err
	})
}
