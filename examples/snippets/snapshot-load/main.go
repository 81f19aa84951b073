package main

import (
	"github.com/previewenv/pulumi-previewenv/sdk/go/previewenv"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := previewenv.NewSnapshotLoad(ctx, "data", &previewenv.SnapshotLoadArgs{
			EnvironmentId:  pulumi.String("11111111-1111-4111-8111-111111111142"),
			SequenceNumber: pulumi.Int(7),
		})
		return err
	})
}
