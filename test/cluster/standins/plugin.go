package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
)

// The part of the RDMA shared device plugin's configuration that names a resource.
type config struct {
	ConfigList []struct {
		ResourceName   string `json:"resourceName"`
		ResourcePrefix string `json:"resourcePrefix"`
		RdmaHcaMax     int    `json:"rdmaHcaMax"`
	} `json:"configList"`
}

type plugin struct {
	api.UnimplementedDevicePluginServer
	devices []*api.Device
}

// Offers each configured resource to the kubelet, as long as it runs.
func runDevicePlugin() error {
	text, err := os.ReadFile("/k8s-rdma-shared-dev-plugin/config.json")
	if err != nil {
		return err
	}
	var given config
	if err := json.Unmarshal(text, &given); err != nil {
		return err
	}
	if _, err := os.Stat(loadedModule); err != nil {
		log.Print("STARTED WITHOUT A LOADED DRIVER")
	}
	for _, one := range given.ConfigList {
		prefix := one.ResourcePrefix
		if prefix == "" {
			prefix = "rdma"
		}
		ids := []string{}
		for index := range one.RdmaHcaMax {
			ids = append(ids, strconv.Itoa(index))
		}
		if err := offer(prefix+"/"+one.ResourceName, ids); err != nil {
			return err
		}
	}
	return untilTerminated()
}

func untilTerminated() error {
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	<-terminated
	return nil
}

func offer(resource string, ids []string) error {
	served := plugin{}
	for _, id := range ids {
		served.devices = append(served.devices, &api.Device{ID: id, Health: api.Healthy})
	}
	socket := filepath.Join(api.DevicePluginPath, filepath.Base(resource)+".sock")
	if err := remove(socket); err != nil {
		return err
	}
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	server := grpc.NewServer()
	api.RegisterDevicePluginServer(server, &served)
	go server.Serve(listener)
	connection, err := grpc.NewClient("unix://"+api.KubeletSocket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer connection.Close()
	request := &api.RegisterRequest{Version: api.Version, Endpoint: filepath.Base(socket), ResourceName: resource}
	limit, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if _, err := api.NewRegistrationClient(connection).Register(limit, request, grpc.WaitForReady(true)); err != nil {
		return errors.Join(errors.New("the kubelet refuses "+resource), err)
	}
	log.Printf("registered %s", resource)
	return nil
}

func (*plugin) GetDevicePluginOptions(context.Context, *api.Empty) (*api.DevicePluginOptions, error) {
	return &api.DevicePluginOptions{}, nil
}

func (one *plugin) ListAndWatch(_ *api.Empty, stream api.DevicePlugin_ListAndWatchServer) error {
	if err := stream.Send(&api.ListAndWatchResponse{Devices: one.devices}); err != nil {
		return err
	}
	<-stream.Context().Done()
	return nil
}

func (*plugin) Allocate(_ context.Context, request *api.AllocateRequest) (*api.AllocateResponse, error) {
	answer := &api.AllocateResponse{}
	for range request.ContainerRequests {
		answer.ContainerResponses = append(answer.ContainerResponses, &api.ContainerAllocateResponse{
			Envs: map[string]string{"STANDIN_ALLOCATED": loadedModule},
		})
	}
	return answer, nil
}
