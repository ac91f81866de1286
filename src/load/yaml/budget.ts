/**
 * What the files of one folder may hold together. A cluster has tens of documents; these limits keep what does
 * not belong there - a backup of a cluster, a hostile pull request - from taking more memory than a small machine has.
 */
export const folderMax = {
  documents: 1_500,
  /** Of the parser; a line has about eight. */
  lexemes: 75_000,
  /** Five ConfigMaps of the largest size. */
  characters: 5 * 1024 * 1024,
  /** Reading stops there. */
  errors: 1_000,
} as const;

/** The rest of the budget. The loader counts down, and stops when any of them is below zero. */
export type Budget = { -readonly [Limit in keyof typeof folderMax]: number };

export function fullBudget(): Budget {
  return { ...folderMax };
}

export function isSpent(budget: Budget): boolean {
  return Object.values(budget).some((left) => left < 0);
}
