package main

import (
	"log"
	"os"
	"path/filepath"
	"time"
)

// Commands by the name that the program is called by, as with busybox.
var commands = map[string]func() error{
	"driver":                          runDriver,
	"lsmod":                           listModules,
	"k8s-rdma-shared-dp":              runDevicePlugin,
	"network-operator-init-container": waitForSafeLoad,
	"sriovdp":                         runSriovPlugin,
}

func main() {
	log.SetFlags(log.LUTC | log.Lmicroseconds)
	command, ok := commands[filepath.Base(os.Args[0])]
	if !ok {
		log.Fatalf("no stand-in for %s", os.Args[0])
	}
	if err := command(); err != nil {
		log.Fatal(err)
	}
}

// How long something takes, from the environment of the pod. Default: no time.
func duration(name string) time.Duration {
	given, err := time.ParseDuration(os.Getenv(name))
	if err != nil {
		return 0
	}
	return given
}
