package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

const (
	readyFile = "/run/mellanox/drivers/.driver-ready"
	// The device of a loaded module: the kernel's memory of it, which outlasts the container, but not a reboot.
	loadedModule = "/dev/infiniband/uverbs0"
	// On the node, for what all drivers have logged, one after the other.
	journal = "/mnt/drivers-inventory/standin.log"
	// On the node: while this file is there, no driver gets loaded.
	hold = "/mnt/drivers-inventory/hold"
)

// Loads the driver: STANDIN_LOAD is how long that takes at least, STANDIN_UNLOAD how long the end takes, STANDIN_FAIL makes it exit with 1.
func runDriver() error {
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	if file, err := os.OpenFile(journal, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err == nil {
		log.SetOutput(io.MultiWriter(os.Stderr, file))
	}
	if err := remove(readyFile); err != nil {
		return err
	}
	log.Print("loading")
	loaded := time.Now().Add(duration("STANDIN_LOAD"))
	for time.Now().Before(loaded) || exists(hold) {
		select {
		case <-terminated:
			log.Print("terminated while loading")
			return nil
		case <-time.After(100 * time.Millisecond):
		}
	}
	if os.Getenv("STANDIN_FAIL") != "" {
		return errors.New("the driver cannot be loaded")
	}
	for _, file := range []string{loadedModule, readyFile} {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			return err
		}
	}
	log.Print("loaded")
	<-terminated
	log.Print("unloading")
	if err := remove(readyFile); err != nil {
		return err
	}
	time.Sleep(duration("STANDIN_UNLOAD"))
	if err := remove(loadedModule); err != nil {
		return err
	}
	log.Print("unloaded")
	return nil
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func remove(file string) error {
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// What `lsmod | grep mlx5_core` of the probes looks for.
func listModules() error {
	fmt.Println("Module                  Size  Used by")
	if _, err := os.Stat(loadedModule); err == nil {
		fmt.Println("mlx5_core            2297856  1 mlx5_ib")
	}
	return nil
}
