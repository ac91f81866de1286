import type { ComponentCrd } from '../../crds/schema.js';
import configurationTemplates from '../../crds/nicconfigurationtemplates.configuration.net.nvidia.com.json' with { type: 'json' };
import devices from '../../crds/nicdevices.configuration.net.nvidia.com.json' with { type: 'json' };
import firmwareSources from '../../crds/nicfirmwaresources.configuration.net.nvidia.com.json' with { type: 'json' };
import firmwareTemplates from '../../crds/nicfirmwaretemplates.configuration.net.nvidia.com.json' with { type: 'json' };
import interfaceNameTemplates from '../../crds/nicinterfacenametemplates.configuration.net.nvidia.com.json' with { type: 'json' };

export const crds: readonly ComponentCrd[] = [
  configurationTemplates,
  devices,
  firmwareSources,
  firmwareTemplates,
  interfaceNameTemplates,
];
