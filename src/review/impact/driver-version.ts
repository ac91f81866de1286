/** The series, the build and the revision of `doca3.4.1-26.04-1.1.0.0-3` or `24.10-0.7.0.0-0`. */
const NUMBERS = /^(?:doca[\d.]+-)?(\d+)\.(\d+)-(\d+)\.(\d+)\.(\d+)\.(\d+)-(\d+)(?:-|$)/;

/** Whether a driver is older than another one; false where one of them is no version of NVIDIA's, such as a digest. */
export function isOlderDriver(version: string, other: string): boolean {
  const [numbers, others] = [version, other].map((one) => NUMBERS.exec(one)?.slice(1).map(Number));
  if (numbers === undefined || others === undefined) return false;
  const differs = numbers.findIndex((number, index) => number !== others[index]);
  return differs >= 0 && (numbers[differs] ?? 0) < (others[differs] ?? 0);
}

const SHOWN_DIGEST = 'sha256:0123456789ab'.length;

/**
 * What an image of the driver installs, without what every image of its pool has in its tag: `25.10-1.2.8.0-2` of
 * `doca-driver:25.10-1.2.8.0-2-6.8.0-31-generic-ubuntu24.04-amd64`. The start of the digest where the image has no tag.
 */
export function driverVersion(
  image: string,
  { osName, osVersion, kernel }: { readonly osName: string; readonly osVersion: string; readonly kernel: string },
): string {
  const [name = '', digest] = image.split('@');
  const last = name.split('/').at(-1) ?? '';
  if (digest !== undefined && !last.includes(':')) return digest.slice(0, SHOWN_DIGEST);
  const tag = last.slice(last.indexOf(':') + 1);
  const end = tag.lastIndexOf(`-${osName}${osVersion}-`);
  const version = end < 0 ? tag : tag.slice(0, end);
  return kernel !== '' && version.endsWith(`-${kernel}`) ? version.slice(0, -kernel.length - 1) : version;
}
