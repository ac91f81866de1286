import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { allAddOns } from '../addons/all.js';
import { allComponents } from '../components/all.js';
import type { Cluster } from '../model/config.js';
import { findRelease, releaseNames, releaseOfImage, versionsOfImage } from './catalog.js';

const files = readdirSync(__dirname).filter((name) => name.endsWith('.json'));

describe('the release catalog', () => {
  it('has every file, newest first', () => {
    expect([...releaseNames].sort()).toEqual(files.map((name) => name.replace(/\.json$/, '')).sort());
    const months = releaseNames
      .map((name) => name.slice(1).split('.').map(Number))
      .map(([year = 0, month = 0]) => year * 100 + month);
    expect([...months].sort((a, b) => b - a)).toEqual(months);
  });

  it('has the tags of final versions that the page of WEFT0308 lists', () => {
    const tagsOf = (key: string) => versionsOfImage(key).map(({ version }) => version);
    const page = readFileSync('docs/errors/WEFT0308.md', 'utf8');
    const listed = [...page.matchAll(/^\| (v\S+) \| (\S+) \| `(\S+)` \|$/gm)];
    expect(listed.map(([, , driver = '']) => driver.replaceAll('`', '')).filter((tag) => tag !== '?')).toEqual(
      tagsOf('Mofed'),
    );
    expect(listed.map(([, , , component]) => component)).toEqual(tagsOf('RdmaSharedDevicePlugin'));
    expect(listed.map(([, version = '']) => version)).toEqual(
      tagsOf('RdmaSharedDevicePlugin').map((tag) => tag.replace('network-operator-', '')),
    );
  });

  it.each(releaseNames)('%s names the source of its facts', (name) => {
    const release = findRelease(name);
    const { built, validated } = release?.driverSystems ?? {};
    const patches = release?.patches ?? [];
    const sources = [
      release?.source,
      release?.templates,
      built?.source,
      validated?.source,
      ...patches.map(({ source }) => source),
    ];
    for (const source of sources.filter(Boolean)) {
      const page = {
        page: expect.stringMatching(/^https:\/\/(?:docs\.nvidia\.com|github\.com\/Mellanox)\//),
        version: expect.stringMatching(/^v/),
      };
      const file = {
        project: expect.stringMatching(/^[\w-]+\/[\w-]+$/),
        file: expect.stringMatching(/\S/),
        version: expect.stringMatching(/^(?:network-operator-)?v\d+\.\d+\.\d+/),
        commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      };
      expect(source).toEqual(source && 'page' in source ? page : file);
    }
    for (const { version, file } of Object.values(release?.minimum ?? {})) {
      expect(version).toMatch(/^\d+\.\d+$/);
      expect(file).toMatch(/\.yaml$/);
    }
  });

  it.each(releaseNames)('%s has complete images, each of a component, and those of the releases before it', (name) => {
    const { images = {} } = findRelease(name) ?? {};
    const keys = allComponents.flatMap(({ imageKeys }) => imageKeys.map(({ release: key }) => key));
    const named = Object.keys(images).map((key) => [key, { repository: 'a', image: 'b', version: key }] as const);
    const cluster = { releaseImages: Object.fromEntries(named) };
    const ofAddOns = allAddOns.flatMap((addOn) =>
      Object.values(addOn.images(addOn.schema.parse({ deploy: true }) as never, cluster as unknown as Cluster)),
    );
    for (const [key, image] of Object.entries(images)) {
      expect([...keys, 'NetworkOperatorInitContainer', ...ofAddOns]).toContainEqual(
        expect.stringMatching(new RegExp(`^(?:a/b:)?${key}$`)),
      );
      expect({ key, ...image }).toEqual({
        key,
        image: expect.stringMatching(/^[\w-]+$/),
        repository: expect.stringMatching(/^nvcr\.io\/[\w/-]+$/),
        version: expect.stringMatching(/^[\w.-]+$/),
      });
    }
  });

  it.each(releaseNames)('%s says what it lacks', (name) => {
    const { missing = {}, images = {}, driverSystems } = findRelease(name) ?? {};
    const before = releaseNames[releaseNames.indexOf(name) + 1];
    const absent = Object.keys(findRelease(before ?? '')?.images ?? {}).filter((key) => !(key in images));
    expect({ name, images: 'images' in missing, driverSystems: 'driverSystems' in missing }).toEqual({
      name,
      images: absent.length > 0,
      driverSystems: driverSystems === undefined,
    });
    expect(Object.values(missing)).not.toContain('');
  });

  it('finds the newest release of an image', () => {
    expect(releaseOfImage('docaTelemetryService', '1.25.5-doca3.4.0-host')?.release).toBe('v26.7');
    expect(releaseOfImage('docaTelemetryService', '1.23.4-doca3.2.0-host')).toBeUndefined();
    expect(releaseOfImage('docaTelemetryService', '')).toBeUndefined();
    expect(releaseOfImage('constructor', '1')).toBeUndefined();
  });
});
