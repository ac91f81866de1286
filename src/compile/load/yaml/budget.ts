/**
 * Limits for all files of one folder. A cluster has tens of documents. Larger input, such as a backup of a cluster or a
 * hostile pull request, must not take more memory than a small machine has.
 */
export const folderMax = {
  documents: 1_500,
  /** Tokens of the parser, about ten per line: 50 node pools, 20 NicNodePolicies, 200 networks, 500 address pools and 300 SR-IOV policies
   * have 120,000. */
  lexemes: 200_000,
  /** Five ConfigMaps of the largest size. */
  characters: 5 * 1024 * 1024,
  /** Reading stops at this number. */
  errors: 1_000,
} as const;

/** The rest of the limits. The loader counts down, and stops when one is below zero. */
export type Budget = { -readonly [Limit in keyof typeof folderMax]: number };

export function fullBudget(): Budget {
  return { ...folderMax };
}

export function isSpent(budget: Budget): boolean {
  return Object.values(budget).some((left) => left < 0);
}
