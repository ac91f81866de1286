import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildCommand } from '../scripts/build.js';
import { startResident, type Resident } from './conformance/resident.js';

/** Recorded output of the real operator, and the script that compares with it: beside the repository, not in it. */
const SCRIPT = join(__dirname, '../../shared/tools/conformance.mjs');
const FOLDER = join(__dirname, '../../shared/conformance/cases');

/**
 * Every case is rendered by `run` in this process. The command of the bundle starts anew for each case, so it gets every
 * tenth one, and with `WEFT_ALL_CASES=1` all of them.
 */
const BY_COMMAND = process.env['WEFT_ALL_CASES'] === undefined ? 10 : 1;

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

const unexpectedOf = (results: readonly Result[]) =>
  results
    .filter(({ result }) => result !== 'equal' && result !== 'skipped')
    .filter((one) => !EXPECTED.some((expected) => isExpected(one, expected)));

/** What the script finds about the cases with these names; it calls the command for each. */
async function compareCases(
  folder: string,
  gate: string,
  names: string,
  command: readonly string[],
): Promise<readonly Result[]> {
  const report = join(folder, 'report.json');
  const script = spawn(
    process.execPath,
    [SCRIPT, '--gate', gate, '--only', names, '--json', report, '--', ...command],
    { stdio: 'ignore' },
  );
  await new Promise((resolve) => script.on('exit', resolve));
  const results = JSON.parse(readFileSync(report, 'utf8')) as readonly Result[];
  rmSync(report);
  return results;
}

const isThere = existsSync(SCRIPT);
if (!isThere) {
  console.warn(`CONFORMANCE IS NOT TESTED: there is no ${SCRIPT}`);
}

(isThere ? describe : describe.skip)(
  isThere ? 'conformance with the operator' : 'CONFORMANCE WITH THE OPERATOR: NO DATA, NOTHING IS COMPARED',
  () => {
    let folder: string;
    let resident: Resident;
    let command: readonly string[];
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'weft-conformance-'));
      cpSync(join(__dirname, '../bin'), join(folder, 'bin'), { recursive: true });
      await buildCommand(join(folder, 'lib/weft.cjs'));
      resident = await startResident(folder);
      command = [process.execPath, join(folder, 'bin/weft.cjs'), 'synth', '-o', 'json'];
    }, 60_000);
    afterAll(async () => {
      await resident.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    it.each(['label', 'ready-file'])(
      'gate %s: every case is equal, but for those whose difference has a reason',
      async (gate) => {
        const results = await compareCases(folder, gate, '.', resident.command);
        expect(results.filter(({ result }) => result === 'equal').length).toBeGreaterThan(20);
        expect(unexpectedOf(results)).toEqual([]);
      },
      120_000,
    );

    it.each(['label', 'ready-file'])(
      'gate %s: the command of the bundle gives the same',
      async (gate) => {
        const names = readdirSync(FOLDER).filter((_name, at) => at % BY_COMMAND === 0);
        const results = await compareCases(folder, gate, `^(?:${names.join('|')})$`, command);
        expect(results.map(({ name }) => name)).toEqual(names.sort());
        expect(unexpectedOf(results)).toEqual([]);
      },
      120_000,
    );

    it('builds a command that says its version', () => {
      const { version } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8')) as { version: string };
      const output = execFileSync(process.execPath, [join(folder, 'bin/weft.cjs'), '--version'], { encoding: 'utf8' });
      expect(output).toMatch(new RegExp(`^weft ${version.replaceAll('.', '\\.')} \\(releases: .+\\)\n$`));
    });
  },
);
