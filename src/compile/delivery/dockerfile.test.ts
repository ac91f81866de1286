import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { COMPANION_NODE_IMAGE } from '../../shared/contract/companion-env.js';

const root = join(__dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const text = read('Dockerfile');
const golden = read('src/compile/delivery/golden/full.yaml');

/** The stages by name, with their text. */
const stages = new Map(
  text
    .split(/^(?=FROM )/m)
    .slice(1)
    .map((stage) => [/^FROM (?:--platform=\S+ )?\S+ AS (\S+)$/m.exec(stage)?.[1] ?? '', stage]),
);
const stage = (name: string): string => stages.get(name) ?? '';

describe('the Dockerfile', () => {
  it('makes all images from the one that runs the program of the ConfigMap', () => {
    expect([...stages.keys()]).toEqual(['build', 'command', 'companion']);
    const bases = [...text.matchAll(/^FROM (?:--platform=\S+ )?(\S+)/gm)].map(([, base]) => base);
    expect(new Set(bases)).toEqual(new Set(['${NODE_IMAGE}']));
    expect([...text.matchAll(/^ARG NODE_IMAGE=(\S+)$/gm)].map(([, image]) => image)).toEqual([COMPANION_NODE_IMAGE]);
  });

  it('has that image by its digest', () => {
    expect(COMPANION_NODE_IMAGE).toMatch(/^docker\.io\/library\/node:24\.\d+\.\d+-slim@sha256:[0-9a-f]{64}$/);
    expect(read('src/compile/delivery/golden/minimal.yaml')).toContain(`image: ${COMPANION_NODE_IMAGE}\n`);
  });

  it('copies what is there, and what .dockerignore lets through', () => {
    const [all, ...allowed] = read('.dockerignore').trimEnd().split('\n');
    expect(all).toBe('*');
    const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '));
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(copied.filter((path) => !allowed.includes(`!${path}`))).toEqual([]);
    expect(allowed).toHaveLength(copied.length - copied.filter((path, index) => copied.indexOf(path) < index).length);
  });
});

describe('the image of the companion', () => {
  it('has the program where the Job starts it', () => {
    const [, target = ''] = /^COPY --from=build \S+ (\S+)$/m.exec(stage('companion')) ?? [];
    expect(golden).toContain(`          command:\n            - node\n            - ${target}\n`);
    expect(stage('companion')).toContain(`ENTRYPOINT ["node", "${target}"]`);
  });

  it('has the user of the pod', () => {
    const [, user = '', group = ''] = /^USER (\d+):(\d+)$/m.exec(stage('companion')) ?? [];
    expect(golden).toContain(`runAsGroup: ${group}\n`);
    expect(golden).toContain(`runAsUser: ${user}\n`);
  });
});

describe('the licences', () => {
  it('of Weft and of the packages in its bundles are in both images', () => {
    for (const name of ['command', 'companion']) expect(stage(name)).toContain('COPY LICENSE /weft/LICENSE\n');
    // `lib` has those of the packages; the program of the companion has them in its last lines.
    expect(stage('command')).toContain('COPY --from=build /src/lib /weft/lib\n');
  });
});

describe('the image of the command', () => {
  it('lets git check who owns a repository', () => {
    expect(text).not.toContain('safe.directory');
  });

  it('runs without rights', () => {
    expect(stage('command')).toMatch(/^USER (?!0)\d+:(?!0)\d+$/m);
  });

  it('has what the bundle looks for at run time', () => {
    const folders = [...stage('command').matchAll(/^COPY .* \/weft\/(\S+)$/gm)].map(([, folder]) => folder);
    // The bundle, its starter, the pages of `weft explain`, the pipelines of `weft init`, the package that a `cluster.ts` needs, and the licence.
    expect(folders.sort()).toEqual([
      'LICENSE',
      'bin',
      'docs/errors',
      'examples/ci',
      'lib',
      'node_modules/jiti',
      'package.json',
    ]);
  });
});
