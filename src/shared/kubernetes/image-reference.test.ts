import { describe, expect, it } from '@jest/globals';
import testdata from './image-reference.testdata.json' with { type: 'json' };
import { imageReference, isDigest, isRepository, isTagOrDigest } from './image-reference.js';

/**
 * Verdicts of github.com/containers/image v5.36.2, docker/reference (`ParseNormalizedNamed` of the repository with and without
 * `/<image>` behind it), and of github.com/distribution/reference v0.6.0 for versions, recorded once.
 */
const { repositories, versions } = testdata;

describe('image repositories', () => {
  it('are what the operator takes', () => {
    expect(repositories.valid.length).toBeGreaterThan(50);
    expect(repositories.valid.filter((text) => !isRepository(text))).toEqual([]);
  });

  it('are not what the operator refuses', () => {
    expect(repositories.invalid.length).toBeGreaterThan(100);
    expect(repositories.invalid.filter(isRepository)).toEqual([]);
  });

  it.failing('may name a registry by its IPv6 address, or have a path whose first part looks like one', () => {
    expect(repositories.stricter.filter((text) => !isRepository(text))).toEqual([]);
  });

  it('are short enough for a registry', () => {
    expect(isRepository(`x.y/${'a'.repeat(200)}`)).toBe(true);
    expect(isRepository(`x.y/${'a'.repeat(256)}`)).toBe(false);
  });
});

describe('image versions', () => {
  it('are tags and digests', () => {
    expect(versions.valid.filter((text) => !isTagOrDigest(text))).toEqual([]);
  });

  it('are nothing else', () => {
    expect(versions.invalid.length).toBeGreaterThan(15);
    expect(versions.invalid.filter(isTagOrDigest)).toEqual([]);
  });

  it('may be a digest in capitals, which the operator takes for the driver', () => {
    expect(isTagOrDigest(`sha256:${'AB'.repeat(32)}`)).toBe(true);
  });
});

describe('imageReference', () => {
  it('puts a tag behind a colon and a digest behind an @', () => {
    const image = { repository: 'nvcr.io/nvidia', image: 'doca' };
    expect(imageReference({ ...image, version: 'v1' })).toBe('nvcr.io/nvidia/doca:v1');
    expect(imageReference({ ...image, version: 'sha256:01' })).toBe('nvcr.io/nvidia/doca@sha256:01');
    expect(isDigest('sha256-01')).toBe(false);
  });
});
