import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildCommand } from '../scripts/build.js';

/** Recorded output of the real operator, and the script that compares with it: beside the repository, not in it. */
const SCRIPT = join(__dirname, '../../shared/tools/conformance.mjs');
const CASES = '.';

/** What is not equal, and why that is right. */
const EXPECTED: readonly { readonly name?: string; readonly detail: RegExp; readonly reason: string }[] = [
  {
    detail: /^v1 ConfigMap \S+ ofed-init-container-config .*safeDriverLoad\.annotation: operator "nvidia\.com\/-driver/,
    reason:
      'the recorder did not tell the upgrade library the name of the driver, as the operator does in main.go before it ' +
      'renders: the recorded annotation is no valid name',
  },
];

interface Result {
  readonly name: string;
  readonly result: string;
  readonly details: readonly string[];
}

function isExpected({ name, details }: Result, expected: (typeof EXPECTED)[number]): boolean {
  const isMeant = expected.name === undefined || expected.name === name;
  return isMeant && details.length === 1 && details.every((detail) => expected.detail.test(detail));
}

const isThere = existsSync(SCRIPT);
if (!isThere) {
  console.warn(`CONFORMANCE IS NOT TESTED: there is no ${SCRIPT}`);
}

(isThere ? describe : describe.skip)(
  isThere ? 'conformance with the operator' : 'CONFORMANCE WITH THE OPERATOR: NO DATA, NOTHING IS COMPARED',
  () => {
    let folder: string;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'weft-conformance-'));
      cpSync(join(__dirname, '../bin'), join(folder, 'bin'), { recursive: true });
      await buildCommand(join(folder, 'lib/weft.cjs'));
    }, 60_000);
    afterAll(() => {
      rmSync(folder, { recursive: true, force: true });
    });

    it.each(['label', 'ready-file'])(
      'gate %s: every case is equal, but for those whose difference has a reason',
      (gate) => {
        const report = join(folder, `${gate}.json`);
        const command = [process.execPath, join(folder, 'bin/weft.mjs'), 'synth', '-o', 'json'];
        spawnSync(process.execPath, [SCRIPT, '--gate', gate, '--only', CASES, '--json', report, '--', ...command]);
        const results = JSON.parse(readFileSync(report, 'utf8')) as readonly Result[];
        expect(results.filter(({ result }) => result === 'equal').length).toBeGreaterThan(20);
        const unexpected = results
          .filter(({ result }) => result !== 'equal' && result !== 'skipped')
          .filter((one) => !EXPECTED.some((expected) => isExpected(one, expected)));
        expect(unexpected).toEqual([]);
      },
      120_000,
    );

    it('builds a command that says its version', () => {
      const { version } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8')) as { version: string };
      const output = execFileSync(process.execPath, [join(folder, 'bin/weft.mjs'), '--version'], { encoding: 'utf8' });
      expect(output).toMatch(new RegExp(`^weft ${version.replaceAll('.', '\\.')} \\(releases: .+\\)\n$`));
    });
  },
);
