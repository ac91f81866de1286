import { describe, expect, it } from '@jest/globals';
import { explain } from './explain.js';

function run(given: string, isStdoutTerminal = false) {
  const printed = { stdout: '', stderr: '' };
  const exit = explain(given, {
    stdout: (text) => void (printed.stdout += text),
    stderr: (text) => void (printed.stderr += text),
    readStdin: () => Promise.resolve(''),
    cwd: '/',
    env: { NO_COLOR: '1' },
    isStdinTerminal: true,
    isStderrTerminal: false,
    isStdoutTerminal,
    readCompanionProgram: () => '',
  });
  return { exit, ...printed };
}

describe('weft explain of a field', () => {
  it('prints it as kubectl explain does', () => {
    const { exit, stdout } = run('ofedDriver.upgradePolicy.drain');
    expect(exit).toBe(0);
    expect(stdout).toMatch(
      /^KIND: {5}NicClusterPolicy\nVERSION: {2}mellanox.com\/v1alpha1\nALSO IN: {2}NicNodePolicy\n/,
    );
    expect(stdout).toContain('FIELD:    spec.ofedDriver.upgradePolicy.drain <object>');
    expect(stdout).toMatch(/\n {2}enable <boolean>, default true\n {4}\S/);
  });

  it.each([
    ['Cluster.spec.nodePools', 'FIELD:    spec.nodePools <[]object>'],
    ['nodePools.kernels', 'FIELD:    spec.nodePools.kernels <[]string>'],
    ['spec.nodePools[0].arch', 'FIELD:    spec.nodePools.arch <"amd64" | "arm64">'],
    ['nicclusterpolicy', 'VERSION:  mellanox.com/v1alpha1\n\nDESCRIPTION:\n'],
    ['secondaryNetwork', '  multus <object>'],
    ['macvlannetwork.spec.mtu', 'KIND:     MacvlanNetwork'],
    ['sriovnetwork', 'DESCRIPTION:\n  A network of Ethernet virtual functions.\n'],
    ['IPPool', 'nv-ipam.nvidia.com/v1alpha1\nALSO IN:  IPPool (whereabouts.cni.cncf.io/v1alpha1)\n'],
    ['IPPool.spec.subnet', 'VERSION:  nv-ipam.nvidia.com/v1alpha1\n\nFIELD:    spec.subnet <string>\n'],
    ['ippool.range', 'VERSION:  whereabouts.cni.cncf.io/v1alpha1\n\nFIELD:    spec.range <string>\n'],
    [
      'SriovNetworkNodePolicy.spec.numVfs',
      'FIELD:    spec.numVfs <integer>\n\nDESCRIPTION:\n  None here: `kubectl explain`',
    ],
    ['sriovnetwork.logLevel', ', default "info"\n'],
  ])('%s', (given, expected) => {
    expect(run(given).stdout).toContain(expected);
  });

  it.each([
    ['ofedDriver.upgradePolicy.drian', 'did you mean `drain`?'],
    ['ofedDrivr', 'did you mean `ofedDriver`?'],
    ['nodePools.arch.x', '`spec.nodePools.arch` has no fields'],
    ['Clutser.spec.nodePools', 'did you mean `Cluster`?'],
    ['IPPool.spec.sbnet', 'did you mean `subnet`?'],
    ['SriovNetwrk', 'did you mean `SriovNetwork`?'],
  ])('%s is asked about', (given, help) => {
    const { exit, stdout, stderr } = run(given);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toBe(`error: no document has a field \`${given}\`\nhelp: ${help}\n`);
  });
});

describe('weft explain of a word that is no path', () => {
  const pathsFor = (given: string) => [...run(given).stdout.matchAll(/^ {2}(\w\S*) </gm)].map(([, path]) => path);

  it('lists the fields with the word in the name, then those with it in the description', () => {
    const { exit, stdout } = run('drain');
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^No field has this path\. \d+ fields have `drain` in the name or description:\n/);
    expect(stdout).toContain(
      '  NicClusterPolicy.spec.ofedDriver.upgradePolicy.drain <object>\n    How a node is drained. Without it, nodes are not drained.\n',
    );
    const paths = pathsFor('drain');
    const positions = ['gpuDriver.upgradePolicy.drain', 'upgrade.onDrainFailure', 'gpuDriver.operator'].map((path) =>
      paths.indexOf(`Cluster.spec.${path}`),
    );
    expect(positions.every((position) => position >= 0)).toBe(true);
    expect([...positions].sort((a, b) => a - b)).toEqual(positions);
  });

  it('takes several words, which may be in the path, and custom resources', () => {
    expect(pathsFor('ofedDriver timeout')).toContain(
      'NicClusterPolicy.spec.ofedDriver.upgradePolicy.drain.timeoutSeconds',
    );
    expect(pathsFor('numVfs')).toContain('SriovNetworkNodePolicy.spec.numVfs');
  });

  it('says how many more there are', () => {
    expect(run('image').stdout).toMatch(/\n {2}and \d+ more: add a word, as in `weft explain "image timeout"`\n$/);
  });
});

describe('weft explain of a code', () => {
  it('is Markdown for a program', () => {
    expect(run('142').stdout).toMatch(/^# WEFT0142: /);
  });

  it('is rendered for a terminal', () => {
    const { stdout } = run('WEFT0142', true);
    expect(stdout).toMatch(/^WEFT0142: /);
    expect(stdout).not.toMatch(/```|^#|\]\(/m);
    expect(stdout).toMatch(/^ {4}apiVersion: /m);
  });
});
