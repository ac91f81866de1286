const SAFE_PATH = /^[A-Za-z0-9._%-]+(?:\/[A-Za-z0-9._%-]+)*$/;

/** Names that Windows reserves for devices, with any extension. */
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Git's folder, and the files of a running writer. */
const OWN_OR_GIT = /^\.(?:git$|weft\.)/i;

/** Bytes; the limit of ext4, XFS, APFS and NTFS alike. */
export const MAX_FILE_NAME_LENGTH = 255;

/**
 * Whether a path may be written or removed below an output folder: relative, with `/` between its parts, never leaving
 * the folder, neither in `.git` nor among the writer's own files, and possible on every file system.
 */
export function isSafePath(path: string): boolean {
  return SAFE_PATH.test(path) && path.split('/').every(isSafeSegment);
}

function isSafeSegment(segment: string): boolean {
  return (
    segment.length <= MAX_FILE_NAME_LENGTH &&
    !segment.endsWith('.') &&
    !OWN_OR_GIT.test(segment) &&
    !WINDOWS_DEVICE.test(segment)
  );
}

/**
 * A name as part of a file name: what is not a letter, a digit, `.`, `_` or `-` is percent-encoded, as in
 * `system%3Anode` (the names of RBAC objects may hold almost anything). Different names stay different.
 */
export function encodeFileName(name: string): string {
  const encoded = name.replace(/[^A-Za-z0-9._-]/gu, percent);
  return WINDOWS_DEVICE.test(encoded) ? percent(encoded.charAt(0)) + encoded.slice(1) : encoded;
}

function percent(character: string): string {
  return [...new TextEncoder().encode(character)]
    .map((byte) => '%' + byte.toString(16).toUpperCase().padStart(2, '0'))
    .join('');
}
