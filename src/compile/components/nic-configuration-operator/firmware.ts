import type { StringMap } from '../../../shared/kubernetes/types.js';

/**
 * Firmware that the configuration daemon may install: device and DOCA release to device id, bundle and version (network-operator
 * b06827e0, manifests/state-nic-configuration-operator/040-supported-nic-firmware-configmap.yaml).
 */
export const supportedFirmware: StringMap = {
  'Nvidia_mlx5_MT42822_BlueField-2_integrated_ConnectX-6_Dx-25.07': 'a2d6 25.07-0.9.7 24.46.1006',
  'Nvidia_mlx5_MT43244_BlueField-3_integrated_ConnectX-7_Dx-25.07': 'a2dc 25.07-0.9.7 32.46.1006',
  'Nvidia_mlx5_ConnectX-4_Lx-25.10': '1013 25.10-1.2.2 14.32.1908',
  'Nvidia_mlx5_ConnectX-5-25.10': '1017 25.10-1.2.2 16.35.8002',
  'Nvidia_mlx5_ConnectX-5_Ex-25.10': '1019 25.10-1.2.2 16.35.8002',
  'Nvidia_mlx5_ConnectX-6-25.10': '101b 25.10-1.2.2 20.43.8002',
  'Nvidia_mlx5_ConnectX-6_Dx-25.10': '101d 25.10-1.2.2 22.47.1026',
  'Nvidia_mlx5_ConnectX-6_Lx-25.10': '101f 25.10-1.2.2 26.47.1026',
  'Nvidia_mlx5_ConnectX-7-25.10': '1021 25.10-1.2.2 28.47.1026',
  'Nvidia_mlx5_ConnectX-8-25.10': '1023 25.10-1.2.2 40.47.1026',
  'Nvidia_mlx5_MT42822_BlueField-2_integrated_ConnectX-6_Dx-25.10': 'a2d6 25.10-1.2.2 24.47.1026',
  'Nvidia_mlx5_MT43244_BlueField-3_integrated_ConnectX-7_Dx-25.10': 'a2dc 25.10-1.2.2 32.47.1026',
  'Nvidia_mlx5_ConnectX-6_Dx-26.01': '101d 26.01-1.0.0 22.48.1000',
  'Nvidia_mlx5_ConnectX-6_Lx-26.01': '101f 26.01-1.0.0 26.48.1000',
  'Nvidia_mlx5_ConnectX-7-26.01': '1021 26.01-1.0.0 28.48.1000',
  'Nvidia_mlx5_ConnectX-8-26.01': '1023 26.01-1.0.0 40.48.1000',
  'Nvidia_mlx5_ConnectX-9-26.01': '1025 26.01-1.0.0 82.48.1000',
  'Nvidia_mlx5_MT42822_BlueField-2_integrated_ConnectX-6_Dx-26.01': 'a2d6 26.01-1.0.0 24.48.1000',
  'Nvidia_mlx5_MT43244_BlueField-3_integrated_ConnectX-7_Dx-26.01': 'a2dc 26.01-1.0.0 32.48.1000',
  'Nvidia_mlx5_ConnectX-6_Dx-26.04': '101d 26.04-0.8.6 22.49.1014',
  'Nvidia_mlx5_ConnectX-6_Lx-26.04': '101f 26.04-0.8.6 26.49.1014',
  'Nvidia_mlx5_ConnectX-7-26.04': '1021 26.04-0.8.6 28.49.1014',
  'Nvidia_mlx5_ConnectX-8-26.04': '1023 26.04-0.8.6 40.49.1014',
  'Nvidia_mlx5_ConnectX-9-26.04': '1025 26.04-0.8.6 82.49.1014',
  'Nvidia_mlx5_MT42822_BlueField-2_integrated_ConnectX-6_Dx-26.04': 'a2d6 26.04-0.8.6 24.49.1014',
  'Nvidia_mlx5_MT43244_BlueField-3_integrated_ConnectX-7_Dx-26.04': 'a2dc 26.04-0.8.6 32.49.1014',
};
