/** What a build is made from. */
interface Build {
  /** Hash of the commit, shortened. */
  readonly commit: string;
  /** When it was committed, in milliseconds since the epoch. */
  readonly commitMs: number;
  /** The working tree has changes that are not committed. */
  readonly isChanged: boolean;
  readonly nowMs: number;
}

/**
 * The version of a build, which orders builds by their time: `0.1.0-20260301101500.g0a1b2c3d4e` is before the release 0.1.0. Builds of one commit have the
 * same version, and changes that are not committed have that of the moment.
 */
export function buildVersion(released: string, { commit, commitMs, isChanged, nowMs }: Build): string {
  const time = new Date(isChanged ? nowMs : commitMs).toISOString().replace(/\D/g, '').slice(0, 14);
  // A letter before the hash: an identifier of digits must not begin with 0.
  return `${released}-${time}.g${commit}${isChanged ? '.changed' : ''}`;
}
