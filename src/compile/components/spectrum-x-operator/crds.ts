import type { ComponentCrd } from '../../crds/schema.js';
import railPoolConfigs from '../../crds/spectrumxrailpoolconfigs.spectrumx.nvidia.com.json' with { type: 'json' };

export const crds: readonly ComponentCrd[] = [railPoolConfigs];
