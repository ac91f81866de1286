package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
)

// The part of the SR-IOV network device plugin's configuration that names a resource and its PCI addresses.
type sriovConfig struct {
	ResourceList []struct {
		ResourceName   string `json:"resourceName"`
		ResourcePrefix string `json:"resourcePrefix"`
		Selectors      struct {
			PciAddresses []string `json:"pciAddresses"`
		} `json:"selectors"`
	} `json:"resourceList"`
}

// Offers the PCI addresses that the configuration names, whatever is there.
func runSriovPlugin() error {
	if slices.Contains(os.Args[1:], "--help") {
		fmt.Println("Usage of sriovdp:")
		return nil
	}
	text, err := os.ReadFile("/etc/pcidp/config.json")
	if err != nil {
		return err
	}
	var given sriovConfig
	if err := json.Unmarshal(text, &given); err != nil {
		return err
	}
	for _, one := range given.ResourceList {
		if err := offer(one.ResourcePrefix+"/"+one.ResourceName, one.Selectors.PciAddresses); err != nil {
			return err
		}
	}
	return untilTerminated()
}
