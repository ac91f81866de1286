package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"github.com/fluxcd/pkg/apis/kustomize"
	"github.com/fluxcd/pkg/runtime/cel"
	"github.com/fluxcd/pkg/runtime/statusreaders"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

type verdict struct {
	Object  string `json:"object"`
	Status  string `json:"status"`
	Message string `json:"message"`
}

// printHealth prints the health of live objects, which are in a file, as a JSON list: by the expressions of a Kustomization, by
// kustomize-controller's own reader of Jobs, and else by kstatus.
func printHealth(ctx context.Context, liveFile, expressionsFile string) error {
	objects, err := readObjects(liveFile)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(expressionsFile)
	if err != nil {
		return err
	}
	var expressions []kustomize.CustomHealthCheck
	if err := json.Unmarshal(text, &expressions); err != nil {
		return err
	}
	verdicts := []verdict{}
	for _, object := range objects {
		result, err := statusOf(ctx, object, expressions)
		if err != nil {
			return fmt.Errorf("%s %s: %w", object.GetKind(), object.GetName(), err)
		}
		name := fmt.Sprintf("%s %s", object.GetKind(), object.GetName())
		verdicts = append(verdicts, verdict{name, string(result.Status), result.Message})
	}
	return json.NewEncoder(os.Stdout).Encode(verdicts)
}

func statusOf(
	ctx context.Context, object *unstructured.Unstructured, expressions []kustomize.CustomHealthCheck,
) (*status.Result, error) {
	for _, check := range expressions {
		if check.APIVersion == object.GetAPIVersion() && check.Kind == object.GetKind() {
			evaluator, err := cel.NewStatusEvaluator(&check.HealthCheckExpressions)
			if err != nil {
				return nil, err
			}
			return evaluator.Evaluate(ctx, object)
		}
	}
	if object.GetKind() == "Job" {
		reader := statusreaders.NewCustomJobStatusReader(meta.NewDefaultRESTMapper(nil))
		read, err := reader.ReadStatusForObject(ctx, nil, object)
		if err != nil {
			return nil, err
		}
		return &status.Result{Status: read.Status, Message: read.Message}, read.Error
	}
	return status.Compute(object)
}
