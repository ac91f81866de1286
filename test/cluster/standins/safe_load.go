package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

const account = "/var/run/secrets/kubernetes.io/serviceaccount/"

// The protocol of the operator's init container: it asks for a safe moment by an annotation of the node, and ends when somebody has removed it.
func waitForSafeLoad() error {
	node := flag.String("node-name", "", "")
	name := flag.String("configmap-name", "", "")
	namespace := flag.String("configmap-namespace", "", "")
	key := flag.String("configmap-key", "", "")
	flag.Parse()
	client, err := newAPI()
	if err != nil {
		return err
	}
	var stored struct {
		Data map[string]string `json:"data"`
	}
	if err := client.ask("GET", "/api/v1/namespaces/"+*namespace+"/configmaps/"+*name, nil, &stored); err != nil {
		return err
	}
	var config struct {
		SafeDriverLoad struct {
			Enable     bool   `json:"enable"`
			Annotation string `json:"annotation"`
		} `json:"safeDriverLoad"`
	}
	if err := json.Unmarshal([]byte(stored.Data[*key]), &config); err != nil {
		return err
	}
	if !config.SafeDriverLoad.Enable {
		log.Print("safe load is off")
		return nil
	}
	annotation := config.SafeDriverLoad.Annotation
	path := "/api/v1/nodes/" + *node
	patch := map[string]any{"metadata": map[string]any{"annotations": map[string]string{annotation: "true"}}}
	if err := client.ask("PATCH", path, patch, nil); err != nil {
		return err
	}
	log.Print("asked for a safe load")
	for {
		var live struct {
			Metadata struct {
				Annotations map[string]string `json:"annotations"`
			} `json:"metadata"`
		}
		if err := client.ask("GET", path, nil, &live); err != nil {
			return err
		}
		if _, ok := live.Metadata.Annotations[annotation]; !ok {
			log.Print("safe to load")
			return nil
		}
		time.Sleep(500 * time.Millisecond)
	}
}

type apiClient struct {
	http  http.Client
	token string
}

func newAPI() (*apiClient, error) {
	token, err := os.ReadFile(account + "token")
	if err != nil {
		return nil, err
	}
	authority, err := os.ReadFile(account + "ca.crt")
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
	return &apiClient{http: http.Client{Transport: transport}, token: string(token)}, nil
}

func (client *apiClient) ask(method, path string, body, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	server := "https://" + os.Getenv("KUBERNETES_SERVICE_HOST") + ":" + os.Getenv("KUBERNETES_SERVICE_PORT")
	request, err := http.NewRequest(method, server+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+client.token)
	request.Header.Set("Content-Type", "application/merge-patch+json")
	response, err := client.http.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %s", method, path, content)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(content, answer)
}
