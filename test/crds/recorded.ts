import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import type { Schema } from './facts.js';

/** A CustomResourceDefinition as it is recorded. */
export interface Crd {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly scope: string;
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

/** CRDs of the real operator: beside the repository, not in it. */
const FOLDER = join(__dirname, '../../../shared/conformance/crds');

export const areRecorded = existsSync(FOLDER);
if (!areRecorded) console.warn(`CRDS ARE NOT COMPARED: there is no ${FOLDER}`);

/** `describe` that is skipped with a title nobody overlooks where there is nothing to compare with. */
export const describeRecorded = (title: string, body: () => void): void => {
  (areRecorded ? describe : describe.skip)(areRecorded ? title : `${title}: NO DATA, NOTHING IS COMPARED`, body);
};

export function readCrd(name: string): Crd {
  return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as Crd;
}

/** The schema of `spec` in the one version that our own kinds have. */
export function specOf(crd: Crd): Schema {
  const { properties } = crd.spec.versions[0]?.schema.openAPIV3Schema ?? {};
  return properties?.['spec'] ?? {};
}

/** The names of the CRDs of our input kinds, by kind. */
export const OWN_KINDS: Readonly<Record<string, string>> = {
  NicClusterPolicy: 'nicclusterpolicies.mellanox.com',
  NicNodePolicy: 'nicnodepolicies.mellanox.com',
  MacvlanNetwork: 'macvlannetworks.mellanox.com',
  HostDeviceNetwork: 'hostdevicenetworks.mellanox.com',
  IPoIBNetwork: 'ipoibnetworks.mellanox.com',
};
