import { describe, expect, it } from '@jest/globals';
import { runWeft } from '../../test/kit/run-weft.js';

async function weft(...args: readonly string[]) {
  return runWeft(args, {
    cwd: '/',
    isStdinTerminal: true,
  });
}

const cases: readonly { readonly args: readonly string[]; readonly error: string; readonly help: string }[] = [
  { args: ['dif'], error: "unknown command 'dif'", help: 'did you mean `diff`? `weft --help` shows what there is' },
  { args: ['nope'], error: "unknown command 'nope'", help: '`weft --help` shows what there is' },
  {
    args: ['help', 'dif'],
    error: "unknown command 'dif'",
    help: 'did you mean `diff`? `weft --help` shows what there is',
  },
  { args: ['nope', '--help'], error: "unknown command 'nope'", help: '`weft --help` shows what there is' },
  { args: [''], error: "unknown command ''", help: '`weft --help` shows what there is' },
  {
    args: ['--hlep'],
    error: "unknown option '--hlep'",
    help: 'did you mean `--help`? `weft --help` shows what there is',
  },
  {
    args: ['diff', '--fromat', 'json'],
    error: "unknown option '--fromat'",
    help: 'did you mean `--format`? `weft diff --help` shows what there is',
  },
  {
    args: ['diff', '--format', 'jsn'],
    error:
      "option '--format <format>' argument 'jsn' is invalid. Allowed choices are text, markdown, json, github, sarif",
    help: 'did you mean `json`? `weft diff --help` shows what there is',
  },
  {
    args: ['diff', '--fail-on', 'remove,drian'],
    error:
      "option '--fail-on <class>' argument 'remove,drian' is invalid. Allowed are driver-loss, policy, drain, restart, network, rights, remove, add, metadata, refused",
    help: 'did you mean `drain`? `weft diff --help` shows what there is',
  },
  {
    args: ['pools', '--cluster', 'Foo Bar'],
    error:
      "option '--cluster <name>' argument 'Foo Bar' is invalid. It must be lower-case letters, digits, `-` and `.`, at most 253 of them",
    help: '`weft pools --help` shows what there is',
  },
  {
    args: ['import', 'clusters/b', '--from', 'a.yaml', '--name', 'B B'],
    error:
      "option '--name <name>' argument 'B B' is invalid. It must be lower-case letters, digits, `-` and `.`, at most 253 of them",
    help: '`weft import --help` shows what there is',
  },
  {
    args: ['upgrade', 'logs', '--tail', 'x'],
    error: "option '--tail <lines>' argument 'x' is invalid. It is a number of lines",
    help: '`weft upgrade logs --help` shows what there is',
  },
  {
    args: ['completion', 'fsh'],
    error: "command-argument value 'fsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish",
    help: 'did you mean `fish`? `weft completion --help` shows what there is',
  },
  {
    args: ['diff', 'main', 'HEAD'],
    error: "too many arguments for 'diff'. Expected 1 argument but got 2",
    help: '`weft diff --help` shows what there is',
  },
  {
    args: ['explain', 'WEFT01420'],
    error: 'there is no diagnostic `WEFT01420`',
    help: 'did you mean `WEFT0142`?',
  },
  {
    args: ['explain'],
    error: "missing required argument 'code-or-field'",
    help: '`weft explain --help` shows what there is',
  },
];

describe('a wrong call', () => {
  it.each(cases)('weft $args', async ({ args, error, help }) => {
    expect(await weft(...args)).toEqual({ exit: 2, stdout: '', stderr: `error: ${error}\nhelp: ${help}\n` });
  });
});

describe('help', () => {
  it.each([[['help', 'diff']], [['diff', '-h']], [['help', 'diff', 'more']]])('%j', async (args) => {
    expect(await weft(...args)).toEqual(await weft('diff', '--help'));
  });

  it('of all', async () => {
    expect(await weft('help')).toEqual(await weft('--help'));
    expect((await weft('--help')).exit).toBe(0);
  });
});
