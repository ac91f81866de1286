import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { COMPANION_NAMES } from '../../../src/shared/contract/labels.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runBash } from '../../kit/bash.js';
import { GUIDES, writeGuide } from '../../gitops/guide-project.js';
import type { LiveObject } from '../bed/api-client.js';
import { applyAll, label } from '../bed/apply-set.js';
import type { ControlPlane } from '../bed/control-plane.js';
import { FOREIGN_CRDS } from '../bed/foreign-crds.js';
import { ENGINES, syncBy } from './tools.js';
import { readYaml } from '../bed/inputs.js';
import { binaries, folderOf, startTestBed } from '../bed/test-bed.js';

/** The files of the guides are rendered, and applied as the guides say. No controller runs. */
describe.each(GUIDES)('docs/guide/%s.md', (guide) => {
  let controlPlane: ControlPlane;
  let folder: string;
  beforeAll(async () => {
    controlPlane = await startTestBed(`guide-${guide}`, { hasControllers: false });
    expect((await applyAll(controlPlane.client, FOREIGN_CRDS)).problems).toEqual([]);
    folder = folderOf(`guide-${guide}-work`);
    mkdirSync(folder, { recursive: true });
    await writeGuide(guide, folder);
  });
  afterAll(() => controlPlane.stop());

  /** All files that a kustomization lists, also those of its folders. */
  function listed(path: string): readonly LiveObject[] {
    if (path.endsWith('.yaml')) return [readYaml(path) as LiveObject];
    const { resources } = readYaml(join(path, 'kustomization.yaml')) as { readonly resources: readonly string[] };
    return resources.flatMap((one) => listed(join(path, one)));
  }

  /** The templates of the charts: nothing in them but the text with braces is a template. */
  const templates = () =>
    readdirSync(join(folder, 'dist/east'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.parentPath.includes('/templates'))
      .map((entry) => readYaml(join(entry.parentPath, entry.name)) as LiveObject);

  async function apply(wanted: readonly LiveObject[]): Promise<void> {
    const engine = ENGINES.find((one) => one === guide);
    if (engine !== undefined) {
      await syncBy(engine, controlPlane, wanted, []);
      return;
    }
    const text = readFileSync(`docs/guide/${guide}.md`, 'utf8');
    const [, commands = ''] = /```sh helm\n([^]*?)```/.exec(text) ?? [];
    expect(commands).toContain('helm upgrade');
    const path = `${binaries().helm}:${process.env['PATH'] ?? ''}`;
    const env = { ...process.env, PATH: path, KUBECONFIG: controlPlane.kubeconfig, HOME: folder };
    await runBash(commands, { cwd: folder, env });
  }

  (guide === 'helm' ? it.skip : it)(
    'kustomize and kubectl find its objects, the program beside the folder of the cluster, too',
    async () => {
      const wanted = listed(join(folder, 'dist/east'));
      expect(wanted.filter(({ metadata: { name } }) => name.startsWith(COMPANION_NAMES.programPrefix))).toHaveLength(1);
      const programs = [
        [join(binaries().kustomize, 'kustomize'), 'build'],
        [join(binaries().controlplane, 'kubectl'), 'kustomize'],
      ] as const;
      for (const [program, command] of programs) {
        const { stdout } = await promisify(execFile)(program, [command, join(folder, 'dist/east')], {
          maxBuffer: 2 ** 26,
        });
        const built = parseAllDocuments(stdout).map((document) => document.toJS() as LiveObject);
        expect(built.map(label).sort()).toEqual(wanted.map(label).sort());
      }
    },
  );

  it('its objects are there, and applying them again changes nothing', async () => {
    const wanted = guide === 'helm' ? templates() : listed(join(folder, 'dist/east'));
    expect(wanted.length).toBeGreaterThan(15);
    expect(wanted.map(({ apiVersion }) => apiVersion).filter((one) => /argoproj|fluxcd/.test(one))).toEqual([]);
    await apply(wanted);
    const versions = async () =>
      Promise.all(
        wanted.map(async (object) => {
          const live = await controlPlane.client.get(object);
          return `${label(object)} ${live?.metadata.resourceVersion ?? 'is missing'}`;
        }),
      );
    const before = await versions();
    expect(before.filter((line) => line.endsWith('is missing'))).toEqual([]);
    await apply(wanted);
    expect(await versions()).toEqual(before);
  });
});
