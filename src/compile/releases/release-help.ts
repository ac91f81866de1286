import { didYouMean } from '../../shared/diagnostics/suggest.js';
import { findRelease, releaseNames } from './catalog.js';

const KNOWN = `known releases: ${releaseNames.join(', ')}`;

/** Months since the year 2000 of `v26.4`, `26.4` or `v26.4.1`; `undefined` for other text. */
function monthOf(text: string): number | undefined {
  const [, year, month] = /^v?(\d{2})\.(\d{1,2})(?:\.\d+)?$/.exec(text) ?? [];
  const isMonth = Number(month) >= 1 && Number(month) <= 12;
  return isMonth ? Number(year) * 12 + Number(month) : undefined;
}

/** The `help` for a release that the catalog does not have: the nearest one, and all that it has. */
export function releaseHelp(text: string): string {
  const wanted = monthOf(text);
  if (wanted === undefined) {
    const question = didYouMean(text, releaseNames);
    return question === undefined ? KNOWN : `${question} ${KNOWN}`;
  }
  const same = releaseNames.find((name) => monthOf(name) === wanted);
  if (same !== undefined) return helpInRelease(text, same);
  const [newest = '', oldest = ''] = [releaseNames[0], releaseNames.at(-1)];
  if (wanted < (monthOf(oldest) ?? 0)) {
    return `NVIDIA does not support it any more: upgrade the operator to ${oldest} first; ${KNOWN}`;
  }
  return wanted > (monthOf(newest) ?? 0) ? `it is newer than this version of Weft; ${KNOWN}` : KNOWN;
}

function helpInRelease(text: string, release: string): string {
  const found = findRelease(release);
  const versions = found?.versions.map(({ version }) => version) ?? [];
  const patch = /\.\d+(\.\d+)$/.exec(text)?.[1] ?? '';
  const meant = `${release}${patch}`;
  const write = findRelease(meant) ? meant : release;
  return `write \`${write}\`; \`${release}\` is ${found?.version ?? ''}, and its versions are ${versions.join(', ')}; ${KNOWN}`;
}
