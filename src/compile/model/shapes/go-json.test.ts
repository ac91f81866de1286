import { describe, expect, it } from '@jest/globals';
import { compile, PLAIN_CLUSTER, policyText, problemLines } from '../../../../test/golden/compile.js';

const run = (section: string) =>
  compile({
    'cluster.yaml': PLAIN_CLUSTER,
    'policy.yaml': policyText('NicClusterPolicy', 'nic-cluster-policy', section),
  });
const errorsOf = (section: string) =>
  problemLines(run(section).diagnostics.filter(({ severity }) => severity === 'error'));

describe('JSON text of programs of Go', () => {
  it('may have keys in another case', () => {
    const rdma = `  rdmaSharedDevicePlugin:\n    config: '{"ConfigList": [{"ResourceName": "a", "RdmaHcaMax": 1, "Selectors": {"Vendors": ["15b3"]}}]}'\n`;
    const sriov = `  sriovDevicePlugin:\n    config: '{"ResourceList": [{"resourcename": "b", "Selectors": {"Vendors": ["15b3"], "IsRdma": true}}]}'\n`;
    expect(errorsOf(rdma + sriov)).toEqual([]);
  });

  it.each([
    { number: '1e1', written: '10' },
    { number: '63.0', written: '63' },
  ])('has no whole number as $number', ({ number, written }) => {
    const config = `{"configList": [{"resourceName": "a", "RdmaHcaMax": ${number}, "selectors": {"vendors": ["15b3"]}}], "other": 1e1}`;
    const { diagnostics } = run(`  rdmaSharedDevicePlugin:\n    config: '${config}'\n`);
    const [refused] = diagnostics.filter(({ code }) => code === 'WEFT0143');
    expect(refused?.message).toContain(
      `\`configList[0].RdmaHcaMax\` must be written without fraction and exponent: the program cannot read \`${number}\``,
    );
    expect(refused?.help).toBe(`write \`${written}\``);
  });

  it('is checked by values of keys in another case', () => {
    const config = '{"configList": [{"resourceName": "a", "RdmaHcaMax": -1, "selectors": {"Vendors": ["mlx"]}}]}';
    const lines = problemLines(run(`  rdmaSharedDevicePlugin:\n    config: '${config}'\n`).diagnostics);
    expect(lines.join('\n')).toContain('WEFT0143');
    expect(errorsOf(`  rdmaSharedDevicePlugin:\n    config: '${config.replace('-1', '1')}'\n`)).toEqual([]);
    const form = problemLines(
      run(`  rdmaSharedDevicePlugin:\n    config: '${config.replace('-1', '1')}'\n`).diagnostics,
    );
    expect(form.join('\n')).toContain('WEFT0223');
  });
});
