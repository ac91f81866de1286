import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { ReleaseImage, ReleaseLine } from '../../src/compile/releases/catalog.js';
import { isObject, textAt } from '../../src/shared/lib/json.js';

/** Files of the operator's repository that have facts of a version. */
const IMAGES = 'hack/release.yaml';
const CHART = 'deployment/network-operator/Chart.yaml';
const BUNDLE = 'bundle/metadata/annotations.yaml';

/** What a work tree of the operator's repository has. */
export interface OperatorTree {
  readonly version: string;
  readonly commit: string;
  /** By the operator's names. */
  readonly images: Readonly<Record<string, ReleaseImage>>;
  readonly minimum: ReleaseLine['minimum'];
}

/** Reads a work tree of the operator's repository; `commit` is the one of its HEAD unless it is given. */
export function readOperatorTree(folder: string, commit?: string): OperatorTree {
  const data = (file: string): unknown => parse(readFileSync(join(folder, file), 'utf8'));
  const all = data(IMAGES);
  const images = Object.entries(isObject(all) ? all : {}).flatMap(([key, value]) => {
    const [image, repository, version] = ['image', 'repository', 'version'].map((name) => textAt(value, name));
    if (image === undefined || repository === undefined || version === undefined) return [];
    return [[key, { image, repository, version }] as const];
  });
  const minimumOf = (file: string, text: string | undefined) => {
    const version = /\d+\.\d+/.exec(text ?? '')?.[0];
    if (version === undefined) throw new Error(`${file} names no minimum version`);
    return { version, file };
  };
  return {
    version: textAt(all, 'NetworkOperator', 'version') ?? '',
    commit: commit ?? headOf(folder),
    images: Object.fromEntries(images),
    minimum: {
      kubernetes: minimumOf(CHART, textAt(data(CHART), 'kubeVersion')),
      openshift: minimumOf(BUNDLE, textAt(data(BUNDLE), 'annotations', 'com.redhat.openshift.versions')),
    },
  };
}

function headOf(folder: string): string {
  const { status, stdout } = spawnSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${folder} is no git work tree: name the commit with \`--commit\``);
  return stdout.trim();
}

/** Where the images of a version are from. */
export function sourceOf({ version, commit }: OperatorTree): ReleaseLine['templates'] {
  return { project: 'Mellanox/network-operator', file: IMAGES, version, commit };
}
