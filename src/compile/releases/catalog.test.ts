import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { allAddOns } from '../addons/all.js';
import { allComponents } from '../components/all.js';
import type { Cluster } from '../model/config.js';
import { findRelease, type Release, releaseNames, releaseOfImage, releases } from './catalog.js';

const filesIn = (folder: string) =>
  readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? [name.replace(/\.json$/, '')] : []));

/** Every version, with what its release has. */
const all = releases.flatMap(({ versions }) =>
  versions.flatMap(({ version }): Release[] => [findRelease(version)].flatMap((one) => one ?? [])),
);

describe('the release catalog', () => {
  it('has every file, newest first', () => {
    const versions = releases.flatMap((one) => one.versions.map(({ version }) => version));
    expect([...releaseNames].sort()).toEqual(filesIn(__dirname).sort());
    expect([...versions].sort()).toEqual(filesIn(join(__dirname, 'versions')).sort());
    const newestFirst = (names: readonly string[]) =>
      [...names].sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
    expect(releaseNames).toEqual(newestFirst(releaseNames));
    expect(versions).toEqual(newestFirst(versions));
  });

  it('finds a release by its name, in its newest version whose driver is known, and by its version', () => {
    expect(findRelease('v26.4')?.version).toBe('v26.4.2');
    expect(findRelease('v26.7')?.version).toBe('v26.7.0');
    expect(findRelease('v26.10')?.version).toBe('v26.10.0');
    expect(findRelease('v26.7.1')).toMatchObject({ release: 'v26.7', version: 'v26.7.1' });
    expect(findRelease('v26.4.1')?.images['Mofed']?.version).toBe('doca3.4.1-26.04-1.1.0.0-1');
    expect(findRelease('v26.4.3')).toBeUndefined();
  });

  it.each(releaseNames)('%s names the source of its facts', (name) => {
    const release = findRelease(name);
    const { built, validated } = release?.driverSystems ?? {};
    const ofVersions = release?.versions.flatMap(({ source, digestSource }) => [source, digestSource]) ?? [];
    const sources = [release?.templates, built?.source, validated?.source, ...ofVersions];
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

  it.each(all)('$version has complete images, each of a component', ({ images }) => {
    const keys = allComponents.flatMap(({ imageKeys }) => imageKeys.map(({ release: key }) => key));
    const named = Object.keys(images).map((key) => [key, { repository: 'a', image: 'b', version: key }] as const);
    const cluster = { releaseImages: Object.fromEntries(named) };
    const ofAddOns = allAddOns.flatMap((addOn) =>
      Object.values(addOn.images(addOn.schema.parse({ deploy: true }) as never, cluster as unknown as Cluster)),
    );
    for (const [key, { digest, ...image }] of Object.entries(images)) {
      expect([...keys, 'NetworkOperatorInitContainer', ...ofAddOns]).toContainEqual(
        expect.stringMatching(new RegExp(`^(?:a/b:)?${key}$`)),
      );
      expect({ key, ...image }).toEqual({
        key,
        image: expect.stringMatching(/^[\w-]+$/),
        repository: expect.stringMatching(/^nvcr\.io\/[\w/-]+$/),
        version: expect.stringMatching(/^[\w.-]+$/),
      });
      expect(digest ?? '').toMatch(/^(?:sha256:[0-9a-f]{64})?$/);
    }
  });

  it.each(all)('$version has tags of the driver for systems, each once', ({ driverTags = [], images }) => {
    const tags = driverTags.flatMap((one) => one.tags);
    expect(tags.filter((tag) => !/-[a-z]+\d+\.\d+-(?:amd64|arm64)$/.test(tag))).toEqual([]);
    expect(new Set(tags).size).toBe(tags.length);
    expect(new Set(driverTags.map(({ digest }) => digest)).size).toBe(driverTags.length);
    expect(driverTags.filter(({ digest }) => !/^sha256:[0-9a-f]{64}$/.test(digest))).toEqual([]);
    if (tags.length > 0) expect(tags.some((tag) => tag.startsWith(images['Mofed']?.version ?? '?'))).toBe(true);
  });

  it('has one digest for a tag: by it the companion knows that a pinned driver is the one of the tag', () => {
    const digests = new Map<string, string>();
    for (const { images, driverTags = [] } of releases.flatMap(({ versions }) => versions)) {
      const ofImages = Object.values(images).map(
        ({ image, version, digest }) => [`${image}:${version}`, digest] as const,
      );
      const ofDriver = driverTags.flatMap(({ tags, digest }) => tags.map((tag) => [`driver:${tag}`, digest] as const));
      for (const [reference, digest] of [...ofImages, ...ofDriver]) {
        if (digest === undefined) continue;
        expect([reference, digests.get(reference) ?? digest]).toEqual([reference, digest]);
        digests.set(reference, digest);
      }
    }
    expect(digests.size).toBeGreaterThan(100);
  });

  it.each(all)('$version says what it lacks', ({ missing, images, driverTags, driverSystems }) => {
    const known = releases.flatMap(({ versions }) => versions.flatMap((one) => Object.keys(one.images)));
    const lacks = {
      images: new Set(known).size > Object.keys(images).length,
      digests: Object.entries(images).some(([key, { digest }]) => key !== 'Mofed' && digest === undefined),
      driverTags: driverTags === undefined,
      driverSystems: driverSystems === undefined,
    };
    const said = Object.fromEntries(Object.keys(lacks).map((field) => [field, field in missing]));
    expect(said).toEqual(lacks);
    expect(Object.values(missing)).not.toContain('');
  });

  it('finds the newest release of an image', () => {
    expect(releaseOfImage('docaTelemetryService', '1.25.5-doca3.4.0-host')?.release).toBe('v26.4');
    expect(releaseOfImage('nvIpam', 'network-operator-v26.7.1')?.release).toBe('v26.7');
    expect(releaseOfImage('docaTelemetryService', '1.23.4-doca3.2.0-host')).toBeUndefined();
    expect(releaseOfImage('docaTelemetryService', '')).toBeUndefined();
    expect(releaseOfImage('constructor', '1')).toBeUndefined();
  });
});
