import * as z from 'zod';
import { isDnsLabel } from '../kubernetes/names.js';
import { strictObject } from '../lib/strict-object.js';

/**
 * How operators ask the Maintenance Operator for nodes: k8s-operator-libs 11e747a, `pkg/upgrade/upgrade_requestor.go`;
 * maintenance-operator e15d07b, `api/v1alpha1/nodemaintenance_types.go`.
 */

/** Requestors whose objects have the same namespace and this prefix share one for each node. */
const SHARED_PREFIX = 'nvidia-operator';

/** The pattern of the CRD for `requestorID`. */
const REQUESTOR = /^[a-z0-9A-Z]([-a-z0-9A-Z]*[a-z0-9A-Z])?(\.[a-z0-9A-Z]([-a-z0-9A-Z]*[a-z0-9A-Z])?)*$/;

/** A text that is too short is no domain name either: one message is enough. */
const requestor = z.string().min(2, { abort: true }).max(63).regex(REQUESTOR, { error: 'must be a domain name' });

/**
 * The companion deletes NodeMaintenances of its ID that no node of its own needs. The Network Operator has `nvidia.doca-driver-upgrade`, the
 * same with the name of a NicNodePolicy, and `nvidia.network-operator-drain-controller` (b06827e0, `values.yaml` of its chart and
 * `controllers/upgrade_controller.go`).
 */
const ownRequestor = requestor.refine((id) => !id.startsWith('nvidia.'), {
  error: 'must be an ID that no other program has: those that begin with `nvidia.` are of NVIDIA’s operators',
});

/** The operators have the same default namespace and prefix. */
function settingsFor(requestorID: z.ZodString) {
  return strictObject(() => ({
    namespace: z
      .string()
      .refine(isDnsLabel, { error: 'must be lower-case letters, digits and `-`' })
      .default('default')
      .describe('Namespace of the NodeMaintenances.'),
    namePrefix: z
      .string()
      .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, {
        error: 'must be lower-case letters, digits, `-` and `.`, and begin and end with a letter or a digit',
      })
      .default(SHARED_PREFIX)
      .describe(
        'The name of a NodeMaintenance is this, `-` and the name of the node. Requestors with one prefix share one.',
      ),
    requestorID: requestorID
      .default('weft.dev.driver-upgrade')
      .describe('Who asks, in `spec.requestorID` or `spec.additionalRequestors`.'),
  })).describe('The NodeMaintenances by which the companion asks the Maintenance Operator for nodes.');
}

/** Of the companion's document, which an older output may have written. */
export const nodeMaintenance = settingsFor(requestor);

/** Of the Cluster document. */
export const ownNodeMaintenance = settingsFor(ownRequestor);

export type NodeMaintenanceSettings = z.output<typeof nodeMaintenance>;

/** Name of the NodeMaintenance of a node. */
export function nodeMaintenanceName({ namePrefix }: NodeMaintenanceSettings, node: string): string {
  return `${namePrefix}-${node}`;
}

/**
 * Finds the pods of the Maintenance Operator, whatever its release is named: its own drain leaves them out by this label
 * (maintenance-operator e15d07b, `internal/drain/request.go`).
 */
export const MAINTENANCE_OPERATOR_POD_SELECTOR = 'app.kubernetes.io/component=maintenance-operator-controller-manager';
