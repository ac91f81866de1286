import * as z from 'zod';
import {
  isGpuDriver,
  podDriversOf,
  upgradePolicyHash,
  upgradePolicySchema,
  type UpgradePolicy,
} from '../../../shared/contract/upgrade-policy.js';
import { isOldPolicy } from '../../../shared/contract/old-upgrade-policy.js';
import { readJson } from '../../../shared/lib/json.js';
import { runOutcome, type RunOutcome } from '../run-outcome.js';
import type { WatchedBesideNodes } from '../observe/observer.js';
import type { ClusterPort } from '../ports.js';

/** A valid policy document, and its hash. */
export interface CurrentPolicy {
  readonly policy: UpgradePolicy;
  readonly hash: string;
  /** When the API server last wrote it; undefined: not known. */
  readonly writtenMs?: number | undefined;
  /** Name of the Job that carries it out; undefined: not known. */
  readonly job?: string | undefined;
}

interface ParsedPolicy extends CurrentPolicy {
  /** An older version wrote the document: `hash` is the one that was written with it. */
  readonly isOld: boolean;
}

type PolicyRead =
  | ({ readonly kind: 'policy' } & CurrentPolicy)
  | { readonly kind: 'end'; readonly end: RunOutcome }
  | { readonly kind: 'retry'; readonly message: string };

/**
 * Reads the policy. A run for another hash ends: a newer Job carries out the current policy, or somebody other than the delivery tool
 * wrote it.
 */
export async function readPolicy(cluster: ClusterPort, expectedHash: string | undefined): Promise<PolicyRead> {
  const answer = await cluster.readPolicy();
  switch (answer.kind) {
    case 'ok':
      break;
    case 'forbidden':
      return { kind: 'end', end: runOutcome('forbidden', answer.message) };
    case 'gone':
      return { kind: 'end', end: runOutcome('bad-policy', `no policy: ${answer.message}`) };
    case 'conflict':
    case 'expired':
    case 'retry':
    case 'endless':
    case 'error':
      return { kind: 'retry', message: answer.message };
  }
  const parsed = parsePolicy(answer.value.text, answer.value.hash);
  if (typeof parsed === 'string') return { kind: 'end', end: runOutcome('bad-policy', parsed) };
  if (expectedHash !== undefined && parsed.isOld) return { kind: 'end', end: runOutcome('bad-policy', OLD) };
  const { hash: written = parsed.hash } = answer.value;
  if (written !== parsed.hash) return { kind: 'end', end: runOutcome('bad-policy', BY_HAND) };
  if (expectedHash !== undefined && expectedHash !== parsed.hash) {
    const message = `this run is for policy ${expectedHash}, the current one is ${parsed.hash}`;
    return { kind: 'end', end: runOutcome('superseded', message) };
  }
  const { writtenMs, job } = answer.value;
  return { kind: 'policy', ...parsed, writtenMs, job };
}

/** Its hash cannot be computed, and whoever may change the document may change the one that is written beside it. */
const OLD =
  'the policy was rendered by an older version of Weft: render it with the version of this companion, or use an image of that version';

const BY_HAND =
  'the policy was changed by hand: let the delivery tool write it back, and change `upgrade` of the Cluster instead';

/**
 * Parses a policy document. A string as the result has all errors.
 *
 * @param written the hash that was written with it, which names a document of an older version
 */
export function parsePolicy(text: string, written?: string): ParsedPolicy | string {
  const read = readJson(text);
  if ('problem' in read) return `the policy cannot be read: ${read.problem}`;
  const parsed = upgradePolicySchema.safeParse(read.value);
  if (!parsed.success) return `the policy is not valid: ${z.prettifyError(parsed.error)}`;
  const isOld = isOldPolicy(read.value);
  return { policy: parsed.data, hash: (isOld ? written : undefined) ?? upgradePolicyHash(parsed.data), isOld };
}

/** Namespaces of the DaemonSets of drivers and of the companion itself, sorted. */
export function namespacesOf(policy: UpgradePolicy, own: string): readonly string[] {
  return [...new Set([own, ...podDriversOf(policy).map(({ namespace }) => namespace)])].sort();
}

/** What a run of the policy watches beside nodes and pods. */
export function watchedFor(policy: UpgradePolicy, own: string): WatchedBesideNodes {
  return {
    namespaces: namespacesOf(policy, own),
    hasGpuClaims: areGpuClaimsUsed(policy),
    sriovNodeStates: policy.sriovNodeStates?.namespace,
    nodeMaintenances: policy.nodeMaintenance?.namespace,
  };
}

/** Whether pods may hold a driver of the policy by a ResourceClaim. */
export function areGpuClaimsUsed({ drivers }: UpgradePolicy): boolean {
  return drivers.some(isGpuDriver);
}

/** Whether the GPU operator restarts a driver, so that the policies of the operator matter. */
export function isGpuOperatorUsed({ drivers }: UpgradePolicy): boolean {
  return drivers.some(({ kind }) => kind === 'gpu-operator');
}
