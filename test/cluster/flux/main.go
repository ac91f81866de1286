// Applies a set of objects as Flux's kustomize-controller does, and prunes what another set had and this one has not.
//
//	flux <kubeconfig> <new objects, JSON list> <old objects, JSON list>
//
// Or says what kustomize-controller makes of the health of live objects:
//
//	flux health <live objects, JSON list> <healthCheckExprs, JSON list>
//
// The options are those of kustomize-controller v1, internal/controller/kustomization_controller.go.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling"
	"github.com/fluxcd/pkg/ssa"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const group = "kustomize.toolkit.fluxcd.io"

func main() {
	work := run
	if os.Args[1] == "health" {
		work = func(ctx context.Context, _, live, expressions string) error { return printHealth(ctx, live, expressions) }
	}
	if err := work(context.Background(), os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, kubeconfig, newFile, oldFile string) error {
	manager, err := newManager(kubeconfig)
	if err != nil {
		return err
	}
	wanted, err := readObjects(newFile)
	if err != nil {
		return err
	}
	before, err := readObjects(oldFile)
	if err != nil {
		return err
	}
	manager.SetOwnerLabels(wanted, "east", "flux-system")
	applied, err := manager.ApplyAllStaged(ctx, wanted, ssa.DefaultApplyOptions())
	if err != nil {
		return err
	}
	pruned, err := manager.DeleteAll(ctx, stale(before, wanted), ssa.DeleteOptions{
		PropagationPolicy: metav1.DeletePropagationBackground,
		Inclusions:        manager.GetOwnerLabels("east", "flux-system"),
		Exclusions:        map[string]string{group + "/prune": "disabled", group + "/reconcile": "disabled"},
	})
	if err != nil {
		return err
	}
	for _, entry := range append(applied.Entries, pruned.Entries...) {
		fmt.Println(entry.String())
	}
	return nil
}

func newManager(kubeconfig string) (*ssa.ResourceManager, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	config.QPS, config.Burst = 1000, 2000
	kube, err := client.New(config, client.Options{})
	if err != nil {
		return nil, err
	}
	var mapper meta.RESTMapper = kube.RESTMapper()
	poller := polling.NewStatusPoller(kube, mapper, polling.Options{})
	return ssa.NewResourceManager(kube, poller, ssa.Owner{Field: "kustomize-controller", Group: group}), nil
}

func readObjects(path string) ([]*unstructured.Unstructured, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var objects []*unstructured.Unstructured
	return objects, json.Unmarshal(text, &objects)
}

func stale(before, wanted []*unstructured.Unstructured) []*unstructured.Unstructured {
	kept := map[string]bool{}
	for _, object := range wanted {
		kept[key(object)] = true
	}
	var gone []*unstructured.Unstructured
	for _, object := range before {
		if !kept[key(object)] {
			gone = append(gone, object)
		}
	}
	return gone
}

func key(object *unstructured.Unstructured) string {
	return fmt.Sprint(object.GroupVersionKind().GroupKind(), object.GetNamespace(), object.GetName())
}
