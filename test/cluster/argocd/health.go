package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/argoproj/gitops-engine/pkg/health"
	lua "github.com/yuin/gopher-lua"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// script is the health of DaemonSets as Argo CD's ConfigMap may give it. Argo CD runs it with gopher-lua, too (util/lua/lua.go).
type script string

func (text script) GetResourceHealth(object *unstructured.Unstructured) (*health.HealthStatus, error) {
	if text == "" || object.GetKind() != "DaemonSet" {
		return nil, nil
	}
	state := lua.NewState()
	defer state.Close()
	state.SetGlobal("obj", luaValue(state, object.Object))
	if err := state.DoString(string(text)); err != nil {
		return nil, err
	}
	result, isTable := state.Get(-1).(*lua.LTable)
	if !isTable {
		return nil, fmt.Errorf("the script returns no table")
	}
	return &health.HealthStatus{
		Status:  health.HealthStatusCode(lua.LVAsString(result.RawGetString("status"))),
		Message: lua.LVAsString(result.RawGetString("message")),
	}, nil
}

func luaValue(state *lua.LState, value any) lua.LValue {
	switch typed := value.(type) {
	case string:
		return lua.LString(typed)
	case bool:
		return lua.LBool(typed)
	case int64:
		return lua.LNumber(typed)
	case float64:
		return lua.LNumber(typed)
	case map[string]any:
		table := state.NewTable()
		for key, inner := range typed {
			table.RawSetString(key, luaValue(state, inner))
		}
		return table
	case []any:
		table := state.NewTable()
		for _, inner := range typed {
			table.Append(luaValue(state, inner))
		}
		return table
	default:
		return lua.LNil
	}
}

type verdict struct {
	Object  string `json:"object"`
	Status  string `json:"status"`
	Message string `json:"message"`
}

// printHealth prints the health of live objects, which are in a file, as a JSON list. Objects without a check are left out.
func printHealth(_ context.Context, liveFile, scriptFile string) error {
	objects, err := readObjects(liveFile)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(scriptFile)
	if err != nil {
		return err
	}
	verdicts := []verdict{}
	for _, object := range objects {
		status, err := health.GetResourceHealth(object, script(text))
		if err != nil {
			return err
		}
		if status != nil {
			name := fmt.Sprintf("%s %s", object.GetKind(), object.GetName())
			verdicts = append(verdicts, verdict{name, string(status.Status), status.Message})
		}
	}
	return json.NewEncoder(os.Stdout).Encode(verdicts)
}
