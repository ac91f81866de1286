/** A fact that an administrator of the cluster should know. */
export interface Finding {
  readonly kind: FindingKind;
  readonly severity: 'info' | 'warning' | 'error';
  readonly driver: string;
  readonly node?: string;
  readonly message: string;
}

const SEVERITIES = {
  'controller-runs': 'error',
  'auto-upgrade-off': 'info',
  'failure-budget-spent': 'warning',
  'canaries-missing': 'warning',
  'node-failed': 'error',
  'unknown-state': 'warning',
  'requestor-mode': 'info',
  'daemon-set-not-applied': 'info',
  'daemon-set-not-ready': 'info',
  'daemon-set-retired': 'info',
  'daemon-set-kept': 'info',
  'daemon-set-unlisted': 'warning',
  'cordon-kept': 'info',
  'unschedulable-pods': 'warning',
  'companion-here': 'info',
  'no-driver-pod': 'info',
  'node-uncovered': 'warning',
  'no-successor': 'warning',
  'no-policy': 'warning',
  'drain-warning': 'warning',
  'daemon-set-not-on-delete': 'warning',
  'sriov-not-external': 'warning',
  'maintenance-operator-missing': 'error',
  'gpu-operator-off': 'error',
  'gpu-operator-begins': 'error',
  'gpu-operator-drains': 'warning',
  paused: 'info',
  'windows-ignored': 'warning',
  'windows-kept': 'warning',
} as const satisfies Readonly<Record<string, Finding['severity']>>;

type FindingKind = keyof typeof SEVERITIES;

/** A finding about a driver, or about one of its nodes. */
export function finding(driver: string, kind: FindingKind, message: string, node?: string): Finding {
  return { kind, severity: SEVERITIES[kind], driver, ...(node !== undefined && { node }), message };
}
