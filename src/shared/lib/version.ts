/** Compares the first two numbers of versions such as `1.34`, `v1.34.2` or `4.17`: negative where `a` is the older. */
export function compareVersions(a: string, b: string): number {
  const [major, minor] = numbersOf(a);
  const [otherMajor, otherMinor] = numbersOf(b);
  return major - otherMajor || minor - otherMinor;
}

/** A missing number counts as 0. */
function numbersOf(text: string): readonly [major: number, minor: number] {
  const [, major = '0', minor = '0'] = /(\d+)(?:\.(\d+))?/.exec(text) ?? [];
  return [Number(major), Number(minor)];
}
