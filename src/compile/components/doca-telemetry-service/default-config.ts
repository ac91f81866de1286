import type { Cluster } from '../../model/config.js';
import { since } from '../../releases/changes.js';

/**
 * Configuration of the service if the policy names no ConfigMap. It is byte for byte the operator's, so that the
 * ConfigMap of a running cluster is adopted unchanged (network-operator b06827e0,
 * manifests/state-doca-telemetry-service/0010-doca-telemetry-service.yaml).
 */
export function defaultConfig(cluster: Cluster): string {
  return since(cluster, 'telemetry-without-indexes') ? GENERAL + IGNORED : GENERAL + INDEXES + IGNORED;
}

const GENERAL = `############################ GENERAL CONFIGURATION ############################
# Port for TCP connection with aggregator
port=0
# Timeout for forced page rotation
sync-time-limit=10000

# Sizes of internal buffers used by counter and event providers.
# By the default they set to 1MB, however
# If set to 0 buffers will be rounded up to fit at least a single data payload.
counter-buffer-size=0
event-buffer-size=0

# Verbosity levels: error=3, info=6, debug=7
verbose=6

# Sampling interval for providers in ms
update=1000

# Configuration cache folder that is used on restarts.
runtime-configuration-folder=/config/clx_last_runtime_conf
idle-time-limit=0

################################### PROVIDERS #################################
enable-explicitly=true

#####################################
# DOCA TELEMETRY SERVICE PROVIDERS: #
#####################################

enable-provider=sysfs
enable-provider=pod_resources
enable-provider=ethtool
enable-provider=ifconfig

################################ DATA OUTPUTS #################################

################################ Prometheus ###################################
# Set address and port for Prometheus endpoint.
# If not set, the Prometheus endpoint is disabled.
prometheus=http://0.0.0.0:9189

`;

const INDEXES = `# Prometheus can use data field as index to keep several data records with
# different index value. Index fields will be added to Prometheus labels
# Comma-separated counterset description for Prometheus indexing
#prometheus-indexes=idx1,idx2

# Comma-separated fieldset description for Prometheus indexing
#prometheus-fset-indexes=idx1,idx2
prometheus-fset-indexes=device_name,device_id,pod_name,id

# Comma-separated list of counter names to be ignored by Prometheus exporter
#prometheus-ignore-names=counter_name1,counter_name_2

`;

const IGNORED = `# Comma-separated list of data source tags to be ignored by Prometheus exporter
prometheus-ignore-tags=FI_metrics
`;
