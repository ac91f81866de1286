import { compareVersions } from '../../shared/lib/version.js';
import { DRIVER, releases, type DriverSystem, type Release } from './catalog.js';

/** The system of a node: `ID` and `VERSION_ID` of its OS, and the Kubernetes name of its architecture. */
interface System {
  readonly os: string;
  readonly version: string;
  readonly arch: string;
}

/** `26.04` of the driver versions `doca3.4.1-26.04-1.1.0.0-1` and `26.04-1.1.0.0-1`; `undefined` for other text. */
function seriesOf(version: string): string | undefined {
  return /^(?:doca[\d.]+-)?(\d{2}\.\d{2})-\d/.exec(version)?.[1];
}

/** The end of a tag in the registry: what the DaemonSet of each node pool has behind the version. */
const SYSTEM_OF_TAG = /-(?:ubuntu|rhel|rhcos|sles|ol|azurelinux)\d+(?:\.\d+)*-(?:amd64|arm64)$/;

/** A version with a kernel behind it, as in tags of precompiled drivers. */
const BEFORE_KERNEL = /^((?:doca[\d.]+-)?\d+\.\d+-[\d.]+-\d+)-\d+\.\d+\.\d+-/;

/** The system at the end of a tag of the driver, with the `-` before it, and the version; `undefined` if the text names no system. */
export function systemOfTag(tag: string): { readonly system: string; readonly version: string } | undefined {
  const [system] = SYSTEM_OF_TAG.exec(tag) ?? [];
  if (system === undefined) return undefined;
  const before = tag.slice(0, -system.length);
  return { system, version: BEFORE_KERNEL.exec(before)?.[1] ?? before };
}

/**
 * The release with a driver of the same series as this version. NVIDIA has one manifest for a series, so the facts
 * about one driver apply to the series.
 *
 * @param key the image's name in the catalog
 */
export function releaseOfDriver(key: string, version: string): Release | undefined {
  const series = seriesOf(version);
  return series === undefined
    ? undefined
    : releases.find((one) => one.driverSystems && seriesOf(one.images[key]?.version ?? '') === series);
}

/** Whether a version is of the series of a release, which has drivers that the catalog does not know: `26.10-1.0.0.0-0` for v26.10. */
export function hasUnknownDrivers(version: string): boolean {
  const series = seriesOf(version);
  return releases.some(
    ({ release, versions }) =>
      series === seriesOfRelease(release) && versions.some(({ images }) => !Object.hasOwn(images, DRIVER)),
  );
}

/** NVIDIA numbers the drivers of v26.4 `26.04`. */
function seriesOfRelease(release: string): string {
  const [year = '', month = ''] = release.slice(1).split('.');
  return `${year}.${month.padStart(2, '0')}`;
}

function systemsOf({ driverSystems: known }: Release): readonly DriverSystem[] {
  return known ? [...known.built.systems, ...(known.validated?.systems ?? [])] : [];
}

/**
 * True if the release's driver has images for the system or was validated on it. If no source names an architecture for
 * a version of an OS, all architectures count.
 */
export function isKnownSystem(release: Release, { os, version, arch }: System): boolean {
  const archs = archsOf(systemsOf(release), os, version);
  return archs !== undefined && (archs.length === 0 || archs.includes(arch));
}

/** The architectures that are named for a version of an OS, maybe none; `undefined` if the version is unknown. */
function archsOf(systems: readonly DriverSystem[], os: string, version: string): readonly string[] | undefined {
  const found = systems.filter((known) => known.os === os && known.versions.includes(version));
  return found.length === 0 ? undefined : [...new Set(found.flatMap(({ archs = [] }) => archs))];
}

/** The systems of a release's driver, as text: `rhel 9.4, 9.6; sles 15.6 (arm64 only); on amd64 and arm64`. */
export function knownSystems(release: Release): string {
  const systems = systemsOf(release);
  const archs = [...new Set(systems.flatMap(({ archs: names = [] }) => names))];
  const list = [...versionsByOs(systems)]
    .map(
      ([os, versions]) =>
        `${os} ${versions.map((version) => `${version}${onlyArch(systems, os, version)}`).join(', ')}`,
    )
    .join('; ');
  return `${list}; on ${archs.join(' and ')}`;
}

function onlyArch(systems: readonly DriverSystem[], os: string, version: string): string {
  const [arch, ...others] = archsOf(systems, os, version) ?? [];
  return arch === undefined || others.length > 0 ? '' : ` (${arch} only)`;
}

function versionsByOs(systems: readonly DriverSystem[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const { os, versions } of systems) {
    found.set(os, [...new Set([...(found.get(os) ?? []), ...versions])].sort(compareVersions));
  }
  return found;
}

/** The systems of all releases: all `VERSION_ID`s by `ID`, oldest first. */
export const driverSystems: ReadonlyMap<string, readonly string[]> = versionsByOs(releases.flatMap(systemsOf));
