import type { ExtendsPlace, Inheritance, Location } from '../diagnostic.js';

const NAMED_MAX = 3;

/** By which clusters a place in a base is inherited; absent for a place in the folder of a cluster. */
export function inheritedText({ inheritedBy = [] }: Location): string | undefined {
  if (inheritedBy.length === 0) return undefined;
  const named = inheritedBy.slice(0, NAMED_MAX).map(inheritanceText);
  const more = inheritedBy.length - named.length;
  return `inherited by ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function inheritanceText({ through = [], ...place }: Inheritance): string {
  return [place, ...through].map(placeText).join(' through ');
}

function placeText({ file, line, column }: ExtendsPlace): string {
  return line === undefined ? file : `${file}:${line}:${column ?? 1}`;
}
