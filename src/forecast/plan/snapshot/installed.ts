import type { ApiControllerRevision, ApiDaemonSet } from '../../../shared/kubernetes/shapes/workloads.js';
import { isObject } from '../../../shared/lib/json.js';
import type { SnapshotDaemonSet, SnapshotRevision } from '../../../companion/model/types.js';
import { reduceDaemonSet, reduceRevision } from '../../../companion/runtime/kube-port/reduce.js';

/** What the template of a DaemonSet or of a revision installs. */
type Installed = Pick<SnapshotDaemonSet, 'digest' | 'configDigest'>;

/** The field of a saved object that has it: the environment and the arguments, of which the digest is, are not saved. */
const INSTALLED = 'installed';

/** A field for a saved object, from an object of the API or from a saved one. */
export function installedField({ digest, configDigest }: Installed): { readonly [INSTALLED]: Installed } {
  return { [INSTALLED]: { digest, ...(configDigest !== undefined && { configDigest }) } };
}

/** Reads a DaemonSet of a snapshot. */
export function readDaemonSet(object: ApiDaemonSet): SnapshotDaemonSet {
  return { ...reduceDaemonSet(object), ...savedOf(object) };
}

/** Reads a ControllerRevision of a snapshot. */
export function readRevision(object: ApiControllerRevision): SnapshotRevision {
  return { ...reduceRevision(object), ...savedOf(object) };
}

function savedOf(object: object): Partial<Installed> {
  const saved = (object as Readonly<Record<string, unknown>>)[INSTALLED];
  if (!isObject(saved) || typeof saved['digest'] !== 'string') return {};
  const { digest, configDigest } = saved;
  return { digest, ...(typeof configDigest === 'string' && { configDigest }) };
}
