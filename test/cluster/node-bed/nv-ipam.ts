import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LiveObject } from '../bed/api-client.js';
import { until } from '../bed/guarded-process.js';
import { report } from '../bed/report.js';
import { programsWithLibraries, type ImageOptions } from './images.js';
import type { NodeBed } from './node-bed.js';

/** The programs of NV-IPAM, which is no Go module that can be had: the module proxy refuses all its versions. */
const PROGRAMS = ['ipam-controller', 'ipam-node', 'nv-ipam'];
const FOLDER = process.env['WEFT_NV_IPAM'];

/** Whether the programs of NV-IPAM are there; if not, says how to get them. */
export function hasNvIpam(): boolean {
  if (FOLDER === undefined) {
    report('SKIPPED: NO TEST RUNS NV-IPAM: THE VARIABLE WEFT_NV_IPAM IS NOT SET');
    report(
      'help: in a clone of https://github.com/Mellanox/nvidia-k8s-ipam, `CGO_ENABLED=0 go build -o build/ ./cmd/...`; WEFT_NV_IPAM is the path of `build`',
    );
    return false;
  }
  const missing = PROGRAMS.filter((name) => !existsSync(join(FOLDER, name)));
  if (missing.length > 0) throw new Error(`WEFT_NV_IPAM: no ${missing.join(', ')} in ${FOLDER}`);
  return true;
}

/** As nvidia-k8s-ipam's Dockerfile, whose image has no shell. */
export function nvIpamImage(): Omit<ImageOptions, 'names'> {
  const programs = Object.fromEntries(PROGRAMS.map((name) => [`/${name}`, join(FOLDER ?? '', name)]));
  // The folder of its log must be there.
  return { hasBusybox: false, files: { ...programsWithLibraries(programs), '/var/log/.keep': { text: '' } } };
}

export const isPool = ({ kind }: LiveObject) => kind === 'IPPool' || kind === 'CIDRPool';

/** What the controller gave to each node, by the name of the node. */
export function untilAllocated({ controlPlane, nodes }: NodeBed, pool: LiveObject) {
  return until(`${pool.metadata.name} has a part for each node`, async () => {
    const { status } = ((await controlPlane.client.get(pool)) ?? {}) as {
      readonly status?: { readonly allocations?: readonly ({ readonly nodeName: string } & Record<string, string>)[] };
    };
    const allocations = status?.allocations ?? [];
    if (allocations.length < nodes.length) return undefined;
    return Object.fromEntries(allocations.map(({ nodeName, ...given }) => [nodeName, given]));
  });
}
