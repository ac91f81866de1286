// Syncs a set of objects as Argo CD does, with pruning of what another set had and this one has not.
//
//	argocd <kubeconfig> <new objects, JSON list> <old objects, JSON list>
//
// Or says what Argo CD makes of the health of live objects:
//
//	argocd health <live objects, JSON list> <script for DaemonSets; an empty file for none>
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/argoproj/gitops-engine/pkg/cache"
	"github.com/argoproj/gitops-engine/pkg/engine"
	"github.com/argoproj/gitops-engine/pkg/sync"
	"github.com/argoproj/gitops-engine/pkg/sync/common"
	"github.com/argoproj/gitops-engine/pkg/utils/kube"
	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	work := run
	if os.Args[1] == "health" {
		work = func(ctx context.Context, _, live, script string) error { return printHealth(ctx, live, script) }
	}
	if err := work(ctx, os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, kubeconfig, newFile, oldFile string) error {
	wanted, err := readObjects(newFile)
	if err != nil {
		return err
	}
	before, err := readObjects(oldFile)
	if err != nil {
		return err
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.QPS, config.Burst = 1000, 2000
	// Argo CD knows by an annotation what belongs to an Application; here the two sets say it.
	tracked := map[kube.ResourceKey]bool{}
	for _, object := range append(append([]*unstructured.Unstructured{}, wanted...), before...) {
		tracked[kube.GetResourceKey(object)] = true
	}
	clusterCache := cache.NewClusterCache(config, cache.SetPopulateResourceInfoHandler(
		func(object *unstructured.Unstructured, _ bool) (any, bool) {
			return nil, tracked[kube.GetResourceKey(object)]
		}))
	gitOps := engine.NewEngine(config, clusterCache, engine.WithLogr(logr.Discard()))
	stop, err := gitOps.Run()
	if err != nil {
		return err
	}
	defer stop()
	isManaged := func(resource *cache.Resource) bool { return tracked[resource.ResourceKey()] }
	// The engine wants a new kind as soon as its CRD is established, and discovery may have it a moment later: then a sync
	// fails, and Argo CD tries it again, five times unless told otherwise.
	for attempt := 1; ; attempt++ {
		results, err := syncRound(ctx, gitOps, wanted, isManaged)
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			attempt--
			continue
		}
		if err != nil {
			return err
		}
		if err = report(results); err == nil || attempt == 5 {
			return err
		}
		time.Sleep(time.Second)
	}
}

// syncRound begins a sync and goes on with it for half a minute. A sync knows the state of the cluster at its beginning: the next
// wave needs another round, as the application controller reconciles again and again.
func syncRound(
	ctx context.Context, gitOps engine.GitOpsEngine, wanted []*unstructured.Unstructured, isManaged func(*cache.Resource) bool,
) ([]common.ResourceSyncResult, error) {
	round, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	return gitOps.Sync(round, wanted, isManaged, "revision", "default",
		sync.WithPrune(true), sync.WithServerSideApply(true), sync.WithServerSideApplyManager("argocd-controller"),
		sync.WithLogr(logr.Discard()))
}

func report(results []common.ResourceSyncResult) error {
	var problems []error
	for _, result := range results {
		fmt.Println(result.Status, result.ResourceKey.String(), result.Message)
		if result.Status == common.ResultCodeSyncFailed {
			problems = append(problems, fmt.Errorf("%s: %s", result.ResourceKey.String(), result.Message))
		}
	}
	return errors.Join(problems...)
}

func readObjects(path string) ([]*unstructured.Unstructured, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var objects []*unstructured.Unstructured
	return objects, json.Unmarshal(text, &objects)
}
