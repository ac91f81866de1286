import { expect, it } from '@jest/globals';
import { buildVersion } from '../scripts/build-version.js';

const build = {
  ...{ commit: '0123456789', commitMs: Date.UTC(2026, 2, 1, 10, 15), isChanged: false },
  nowMs: Date.UTC(2026, 2, 2, 9, 5, 7),
};

it('is that of the commit, also when it is built again', () => {
  expect(buildVersion('0.1.0', build)).toBe('0.1.0-20260301101500.g0123456789');
  expect(buildVersion('0.1.0', { ...build, nowMs: build.nowMs + 1 })).toBe(buildVersion('0.1.0', build));
});

it('differs for a working tree with changes', () => {
  expect(buildVersion('0.1.0', { ...build, isChanged: true })).toBe('0.1.0-20260302090507.g0123456789.changed');
});

it('is a semantic version, as npm reads it', () => {
  // https://semver.org: identifiers of digits have no leading zero.
  const identifier = '(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)';
  const version = new RegExp(`^\\d+\\.\\d+\\.\\d+-${identifier}(?:\\.${identifier})*$`);
  for (const isChanged of [false, true]) expect(buildVersion('0.1.0', { ...build, isChanged })).toMatch(version);
});
