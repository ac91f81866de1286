import { describe, expect, it } from '@jest/globals';
import { findRelease, releaseNames, type Release } from './catalog.js';
import { driverSystems, isKnownSystem, knownSystems, releaseOfDriver } from './driver-systems.js';

const release = (name: string): Release => {
  const found = findRelease(name);
  if (!found) throw new Error(name);
  return found;
};

describe('the systems of a driver', () => {
  it.each([
    { version: 'doca3.4.1-26.04-1.1.0.0-1', expected: 'v26.4' },
    { version: 'doca3.4.0-26.04-0.8.5.0-0', expected: 'v26.4' },
    { version: '26.07-0.4.3.0-0', expected: 'v26.7' },
    { version: 'doca3.4.1-26.04-1.1.0.0-1-6.8.0-100-generic', expected: 'v26.4' },
    { version: '25.10-1.2.3.0-0', expected: undefined },
    { version: '24.01-0.3.3.1-0', expected: undefined },
    { version: `sha256:${'26.04-'.repeat(4)}`, expected: undefined },
    { version: '26.04', expected: undefined },
    { version: '', expected: undefined },
  ])('are those of the series of $version', ({ version, expected }) => {
    expect(releaseOfDriver('Mofed', version)?.release).toBe(expected);
    expect(releaseOfDriver('constructor', version)).toBeUndefined();
  });

  const complete = releaseNames.filter((name) => release(name).driverSystems);
  it.each(complete)('are known for %s, with the architectures of every image that is built', (name) => {
    const { driverSystems: systems, images } = release(name);
    if (!systems) throw new Error(name);
    expect(releaseOfDriver('Mofed', images['Mofed']?.version ?? '')?.release).toBe(name);
    for (const { os, versions, archs } of [...systems.built.systems, ...(systems.validated?.systems ?? [])]) {
      for (const version of versions) {
        expect(version).toMatch(/^\d+\.\d+$/);
        for (const arch of archs ?? ['amd64', 'arm64']) {
          expect(isKnownSystem(release(name), { os, version, arch })).toBe(true);
        }
        expect(driverSystems.get(os)).toContain(version);
      }
    }
    expect(systems.built.systems.every(({ archs }) => archs !== undefined)).toBe(true);
  });

  it('are known for one architecture where the source says so', () => {
    const system = { os: 'sles', version: '15.6' };
    expect(isKnownSystem(release('v26.4'), { ...system, arch: 'arm64' })).toBe(true);
    expect(isKnownSystem(release('v26.4'), { ...system, arch: 'amd64' })).toBe(false);
    expect(isKnownSystem(release('v26.4'), { os: 'sles', version: '15.7', arch: 'riscv64' })).toBe(false);
    expect(isKnownSystem(release('v26.4'), { os: 'rhel', version: '8.8', arch: 'riscv64' })).toBe(true);
    expect(isKnownSystem(release('v26.7'), { ...system, arch: 'arm64' })).toBe(false);
  });

  it('are listed for people, oldest version first', () => {
    expect(knownSystems(release('v26.4'))).toBe(
      'ubuntu 22.04, 24.04; rhcos 4.17, 4.18; rhel 8.8, 8.10, 9.4, 9.6, 9.8, 10.0, 10.2; sles 15.6 (arm64 only), 15.7; on amd64 and arm64',
    );
    expect(driverSystems.get('ubuntu')).toEqual(['22.04', '24.04', '26.04']);
  });
});
