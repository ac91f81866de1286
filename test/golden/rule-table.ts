import { describe, expect, it } from '@jest/globals';
import { compile, PLAIN_CLUSTER, problemLines, type Files } from './compile.js';

/** An input, by default with a plain Cluster. */
interface RuleCase {
  readonly name: string;
  readonly cluster?: string;
  readonly policy?: string;
  readonly network?: string;
}

export interface RuleTable {
  /** Valid inputs. */
  readonly valid: readonly RuleCase[];
  /** Invalid inputs, with exactly their diagnostics as `file:line:column message`. */
  readonly invalid: readonly (RuleCase & { readonly expected: readonly string[]; readonly help?: string })[];
}

function filesOf({ cluster = PLAIN_CLUSTER, policy, network }: RuleCase): Files {
  return {
    'cluster.yaml': cluster,
    ...(policy === undefined ? {} : { 'policy.yaml': policy }),
    ...(network === undefined ? {} : { 'network.yaml': network }),
  };
}

/** The codes of the tables that were run in this file of tests. */
export const testedCodes = new Set<string>();

/** Tests a rule by its table: valid inputs, and the expected diagnostics of invalid ones. */
export function testRule(code: string, { valid, invalid }: RuleTable): void {
  testedCodes.add(code);
  const found = (one: RuleCase) => compile(filesOf(one)).diagnostics.filter((diagnostic) => diagnostic.code === code);
  describe(code, () => {
    it.each(valid)('accepts: $name', (one) => {
      expect(problemLines(found(one))).toEqual([]);
    });
    it.each(invalid)('finds: $name', (one) => {
      const diagnostics = found(one);
      expect(problemLines(diagnostics)).toEqual(
        one.expected.map((line) => line.replace(/^(\S+) /, (_all, place: string) => `${place} ${code} `)),
      );
      if (one.help !== undefined) expect(diagnostics.map(({ help }) => help)).toContain(one.help);
    });
  });
}
