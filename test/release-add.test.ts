import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { releaseFiles } from '../scripts/release/files.js';

const CATALOG = 'src/compile/releases';
const digest = (digit: number) => `sha256:${String(digit).repeat(64)}`;

/** An image in the operator's own file; keys that no component names are left out. */
const released = ([key, image, version]: readonly [string, string, string]) =>
  `${key}:\n  image: ${image}\n  repository: nvcr.io/nvidia/mellanox\n  version: ${version}\n`;

const row = (image: string, tag: string, digit: number, repository = 'nvcr.io/nvidia/mellanox') =>
  `   * - ${repository}\n     - ${image}\n     - ${tag}\n     - ${digest(digit)}\n`;

const driverRows = (image: string, version: string, tags: readonly string[], digit: number) =>
  `   * - nvcr.io/nvidia/mellanox\n     - ${image}\n     - ${version}\n\nTags:\n\n   * -\n${tags.map((tag) => `       | ${version}-${tag}\n`).join('')}     - ${digest(digit)}\n`;

const pageOf = (version: string, driver: string) =>
  `Images\n======\n\n.. list-table::\n\n   * - Repository\n     - Image Name\n     - Tag\n     - Digest\n` +
  row('network-operator', version, 1, 'nvcr.io/nvidia/cloud-native') +
  row('nvidia-k8s-ipam', `network-operator-${version}`, 2) +
  driverRows('doca-driver', driver, ['ubuntu24.04-amd64', '6.8.0-31-generic-ubuntu24.04-amd64'], 3) +
  driverRows('doca-driver-stig-fips', driver, ['ubuntu24.04-amd64'], 4);

describe('npm run release:add', () => {
  let folder = '';
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  type Sources = Parameters<typeof releaseFiles>[0];
  /** The files below `src/compile/releases` that the sources change: data of JSON, or text. */
  const add = ({ operator, page, ...rest }: Sources): Readonly<Record<string, unknown>> => {
    const at = (path: string | undefined) => (path === undefined ? undefined : join(folder, path));
    const files = releaseFiles({ operator: at(operator), page: at(page), ...rest }, folder);
    const rows = Object.entries(files).map(([path, text]) => [
      path.slice(CATALOG.length + 1),
      path.endsWith('.json') ? (JSON.parse(text) as unknown) : text,
    ]);
    return Object.fromEntries(rows) as Readonly<Record<string, unknown>>;
  };
  const entry = (name: string) => JSON.parse(readFileSync(join(CATALOG, `${name}.json`), 'utf8')) as object;
  const COMMIT = 'a'.repeat(40);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'weft-release-add-'));
    cpSync(CATALOG, join(folder, CATALOG), { recursive: true });
    put('tree/hack/release.yaml', released(['NetworkOperator', 'network-operator', 'v27.1.0']));
    put('tree/deployment/network-operator/Chart.yaml', "kubeVersion: '>= 1.33.0-0'\n");
    put('tree/bundle/metadata/annotations.yaml', 'annotations:\n  com.redhat.openshift.versions: v4.18-v4.21\n');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('makes the entries of a new release from the operator and from the page, and names what they lack', () => {
    const images = [
      ['NetworkOperator', 'network-operator', 'v27.1.0'],
      ['Mofed', 'doca-driver', 'doca3.7.0-27.01-0.5.0.0-0'],
      ['nvIpam', 'nvidia-k8s-ipam', 'network-operator-v27.1.0'],
      ['somethingNew', 'something-new', 'network-operator-v27.1.0'],
    ] as const;
    put('tree/hack/release.yaml', images.map(released).join(''));
    put('page.rst', pageOf('v27.1.0', 'doca3.7.0-27.01-0.5.0.0-0'));
    const files = add({ operator: 'tree', commit: COMMIT, page: 'page.rst' });
    const ofPage = {
      page: 'https://docs.nvidia.com/networking/display/kubernetes2710/advanced/images-sha256.html',
      version: 'v27.1.0',
    };
    expect(files['versions/v27.1.0.json']).toEqual({
      version: 'v27.1.0',
      source: { project: 'Mellanox/network-operator', file: 'hack/release.yaml', version: 'v27.1.0', commit: COMMIT },
      digestSource: ofPage,
      missing: { images: expect.stringContaining('`Multus`') },
      images: {
        nvIpam: {
          image: 'nvidia-k8s-ipam',
          repository: 'nvcr.io/nvidia/mellanox',
          version: 'network-operator-v27.1.0',
          digest: digest(2),
        },
        Mofed: {
          image: 'doca-driver',
          repository: 'nvcr.io/nvidia/mellanox',
          version: 'doca3.7.0-27.01-0.5.0.0-0',
        },
      },
      driverTags: [
        {
          tags: [
            'doca3.7.0-27.01-0.5.0.0-0-ubuntu24.04-amd64',
            'doca3.7.0-27.01-0.5.0.0-0-6.8.0-31-generic-ubuntu24.04-amd64',
          ],
          digest: digest(3),
        },
      ],
    });
    expect(files['v27.1.json']).toMatchObject({
      missing: {
        templates: expect.stringContaining('v27.1 was not recorded'),
        'driverSystems.validated': expect.anything(),
      },
      minimum: { kubernetes: { version: '1.33' }, openshift: { version: '4.18' } },
      driverSystems: {
        built: { source: ofPage, systems: [{ os: 'ubuntu', versions: ['24.04'], archs: ['amd64'] }] },
      },
    });
    expect(files['entries.ts']).toMatch(
      /lines = \[v27_1, v26_10,.*\];\n\nexport const versions = \[v27_1_0, v26_10_0,/,
    );
  });

  it('completes an entry from a page in HTML: what is given counts, what is not stays', () => {
    const cells = pageOf('v26.10.0', 'doca3.6.0-26.10-0.9.0.0-0').split(/\s+(?:\* -|-|\|)\s+/);
    put('page.html', `<table>${cells.map((cell) => `<td><p>${cell}</p></td>`).join('\n')}</table>`);
    const before = entry('versions/v26.10.0') as { images: Record<string, object> };
    const files = add({ page: 'page.html' });
    const { missing, images } = files['versions/v26.10.0.json'] as Record<'missing' | 'images', object>;
    expect(images).toEqual({
      ...before.images,
      nvIpam: { ...before.images['nvIpam'], digest: digest(2) },
      Mofed: expect.objectContaining({ version: 'doca3.6.0-26.10-0.9.0.0-0' }),
    });
    expect(missing).toEqual({ images: expect.stringMatching(/^the sources do not have (?!.*`Mofed`)/) });
    expect(files['v26.10.json']).toMatchObject({ driverSystems: { built: { systems: [{ os: 'ubuntu' }] } } });
  });

  it('leaves the catalog as it is where the same is given again', () => {
    const { images } = entry('versions/v26.7.1') as {
      images: Record<string, { image: string; version: string; repository: string; digest: string }>;
    };
    const rows = Object.values(images).map(
      ({ image, version, repository, digest: of }) => `| ${repository} | ${image} | ${version} | ${of} |\n`,
    );
    put('page.md', `| nvcr.io/nvidia/cloud-native | network-operator | v26.7.1 | ${digest(1)} |\n${rows.join('')}`);
    put('.prettierrc.json', readFileSync('.prettierrc.json', 'utf8'));
    execFileSync(
      process.execPath,
      [resolve('node_modules/tsx/dist/cli.mjs'), resolve('scripts/release/add.ts'), '--page', 'page.md'],
      { cwd: folder, stdio: 'pipe' },
    );
    for (const name of readdirSync(join(folder, CATALOG), { recursive: true }).map(String)) {
      if (!/\.json$|^entries/.test(name)) continue;
      expect(readFileSync(join(folder, CATALOG, name), 'utf8')).toBe(readFileSync(join(CATALOG, name), 'utf8'));
    }
  });

  it('keeps the digests of an entry when the work tree alone is given', () => {
    const before = entry('versions/v26.4.1') as {
      images: Record<string, { image: string; version: string }>;
      missing: object;
    };
    const { image, version } = before.images['Multus'] ?? { image: '', version: '' };
    const images = [released(['NetworkOperator', 'network-operator', 'v26.4.1']), released(['Multus', image, version])];
    put('tree/hack/release.yaml', images.join(''));
    const files = add({ operator: 'tree', commit: COMMIT });
    const { images: after, missing } = files['versions/v26.4.1.json'] as typeof before;
    expect({ after, missing }).toEqual({ after: before.images, missing: before.missing });
  });

  it('takes no digest over to another tag', () => {
    put(
      'tree/hack/release.yaml',
      released(['NetworkOperator', 'network-operator', 'v26.4.1']) + released(['Multus', 'multus-cni', 'x']),
    );
    const files = add({ operator: 'tree', commit: COMMIT });
    const { images } = files['versions/v26.4.1.json'] as { images: Record<string, object> };
    expect(images['Multus']).toEqual({ image: 'multus-cni', repository: 'nvcr.io/nvidia/mellanox', version: 'x' });
  });

  it('says in a sentence what is wrong with its arguments', () => {
    const command = [resolve('node_modules/tsx/dist/cli.mjs'), resolve('scripts/release/add.ts'), '--pages', 'x'];
    const { status, stderr } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/^error: Unknown option '--pages'/),
    });
    expect(() => add({ operator: 'tree' })).toThrow('is no git work tree: name the commit with `--commit`');
  });

  it.each([
    {
      name: 'a candidate',
      version: 'v27.1.0-rc.2',
      error: 'the sources name no final version of the operator, but `v27.1.0-rc.2`',
    },
    {
      name: 'a page of another version',
      version: 'v26.7.1',
      error: 'the work tree is of v27.1.0, and the page of v26.7.1',
    },
    { name: 'nothing', version: '', error: 'the sources name no final version of the operator, but ``' },
  ])('refuses $name', ({ version, error }) => {
    put('page.rst', pageOf(version, 'doca3.7.0-27.01-0.5.0.0-0'));
    const tree = version === 'v26.7.1' ? { operator: 'tree', commit: COMMIT } : {};
    expect(() => add({ ...tree, ...(version !== '' && { page: 'page.rst' }) })).toThrow(error);
  });
});
