import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { runWeft } from '../../test/kit/run-weft.js';

// Each program gets a thread, and a compiler of its own there.
jest.setTimeout(60_000);

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'weft-programs-')));
  mkdirSync(join(root, 'clusters/east'), { recursive: true });
  mkdirSync(join(root, 'old/east'), { recursive: true });
  writeFileSync(join(root, 'nodes.json'), '{"apiVersion":"v1","kind":"NodeList","items":[]}');
  // Without a name no command comes further than to the document.
  const text =
    'console.log("the program runs");\nexport const cluster = { kind: "Cluster", apiVersion: "weft.dev/v1alpha1" };\n';
  writeFileSync(join(root, 'clusters/east/cluster.ts'), text);
});
afterAll(() => rmSync(root, { recursive: true }));

async function weft(args: string, env: Readonly<Record<string, string>> = {}) {
  const readStdin = () => Promise.resolve('{"apiVersion":"v1","kind":"NodeList","items":[]}');
  const { stdout, stderr, exit } = await runWeft(args.split(' '), { cwd: root, env: { PATH: '', ...env }, readStdin });
  const said = `${stdout}${stderr}`;
  return { exit, runs: said.includes('the program runs'), isRefused: said.includes('WEFT0064'), said };
}

const REFUSED = { exit: 2, runs: false, isRefused: true };

describe.each([
  { call: 'synth', runs: true },
  { call: 'synth --check', runs: true },
  { call: 'diff old', runs: true },
  { call: 'diff --live', runs: true },
  { call: 'diff - --folder clusters/east', runs: true },
  { call: 'import clusters/east --from nodes.json', runs: true },
  { call: 'plan east', runs: true },
  { call: 'takeover clusters/east --dry-run', runs: true },
  { call: 'pools clusters/east', runs: false },
  { call: 'pools --check clusters/east', runs: false },
  { call: 'status', runs: false },
  { call: 'upgrade status --folder clusters/east', runs: false },
  { call: 'upgrade run --folder clusters/east', runs: false },
])('weft $call', ({ call, runs }) => {
  it(runs ? 'runs a program' : 'runs no program unless asked', async () => {
    if (runs) expect(await weft(call)).toMatchObject({ runs, isRefused: false });
    else expect(await weft(call)).toMatchObject({ ...REFUSED, said: expect.stringContaining('`--programs` runs it') });
    if (!runs) expect(await weft(`${call} --programs`)).toMatchObject({ runs: true, isRefused: false });
  });

  it('runs none with --no-programs, nor where the environment forbids it, whatever the call says', async () => {
    expect(await weft(`${call} --no-programs`)).toMatchObject(REFUSED);
    const forbidden = await weft(`${call} --programs`, { WEFT_NO_PROGRAMS: '1' });
    expect(forbidden).toMatchObject({ ...REFUSED, said: expect.stringContaining('unset `WEFT_NO_PROGRAMS`') });
    expect(forbidden.said).toContain('clusters/east/cluster.ts');
  });
});

it('takes an empty variable as one that is not set', async () => {
  expect(await weft('synth', { WEFT_NO_PROGRAMS: '' })).toMatchObject({ runs: true });
});
