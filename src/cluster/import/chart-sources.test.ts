import { describe, expect, it } from '@jest/globals';
import { appliedChart } from './applied-charts.js';
import { importCluster } from './import.js';
import { readSource } from './read-source.js';

const NAMESPACE = 'nvidia-network-operator';

function sourceOf(text: string) {
  const read = readSource(text);
  if ('problem' in read) throw new Error(read.problem);
  return read;
}

const ofValues = (text: string) => importCluster({ name: 'east', ...sourceOf(text) });
const specOf = (text: string) => ofValues(text).documents[0]?.value['spec'];
const policyOf = (text: string) =>
  ofValues(text).documents.find(({ kind }) => kind === 'NicClusterPolicy')?.value['spec'];
const codesOf = (text: string) => ofValues(text).findings.map(({ code }) => code);

describe('values are read', () => {
  it('below the name of the chart in those of a chart that depends on it', () => {
    expect(
      specOf('network-operator: {nfd: {enabled: false}, operator: {cniBinDirectory: /opt/x}}\nother: {a: 1}\n'),
    ).toMatchObject({ cni: { binDirectory: '/opt/x' } });
  });

  it('of the SR-IOV Network Operator’s own chart, with its defaults and without Node Feature Discovery', () => {
    const text = 'operator: {clusterType: kubernetes, resourcePrefix: a.b}\nimages: {operator: "x/y:1"}\n';
    expect(specOf(text)).toMatchObject({
      sriovNetworkOperator: {
        deploy: true,
        releaseName: 'sriov-network-operator',
        fullnameOverride: 'sriov-network-operator',
        operator: { resourcePrefix: 'a.b' },
        images: { operator: 'x/y:1' },
      },
    });
    expect(specOf(text)).not.toHaveProperty('nodeFeatureDiscovery');
    expect(specOf('sriovOperatorConfig: {deploy: true}\n')).toMatchObject({
      sriovNetworkOperator: { operator: { resourcePrefix: 'openshift.io' } },
    });
    expect(codesOf(text)).toEqual(['WEFT0564', 'WEFT0564']);
  });

  it('of both charts: those of the operator say what it installs', () => {
    expect(specOf('sriovOperatorConfig: {deploy: true}\n---\nnfd: {enabled: true}\n')).toMatchObject({
      nodeFeatureDiscovery: { deploy: true },
      sriovNetworkOperator: { deploy: true },
    });
  });
});

describe('a HelmRelease or an Application', () => {
  const helmRelease = (spec: string) => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: net, namespace: flux-system}
spec: ${spec}
`;
  const application = (spec: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: net, namespace: argocd}
spec: {destination: {namespace: ${NAMESPACE}}, ${spec}}
`;
  const CHART = 'chart: {spec: {chart: network-operator, version: 26.4.1}}';
  const TARGET = `targetNamespace: ${NAMESPACE}`;
  const appliedOf = (text: string) => {
    const [object] = sourceOf(text).objects;
    return object && appliedChart(object, NAMESPACE);
  };

  it.each([
    {
      name: 'a HelmRelease',
      text: helmRelease(`{${TARGET}, ${CHART}, values: {nfd: {enabled: true}}}`),
      expected: { given: { nfd: { enabled: true } }, name: `${NAMESPACE}-net`, appVersion: 'v26.4.1' },
    },
    {
      name: 'a HelmRelease with a name, without values, of a range of versions',
      text: helmRelease(
        `{${TARGET}, releaseName: r, chart: {spec: {chart: ./deployment/network-operator, version: 26.x}}}`,
      ),
      expected: { given: {}, name: 'r' },
    },
    {
      name: 'a HelmRelease of a chart that depends on it',
      text: helmRelease(
        `{${TARGET}, chart: {spec: {chart: platform, version: 1.2.3}}, values: {network-operator: {nfd: {enabled: true}}}}`,
      ),
      expected: { given: { nfd: { enabled: true } }, name: `${NAMESPACE}-net` },
    },
    {
      name: 'an Application with text',
      text: application(
        'source: {chart: network-operator, targetRevision: v26.4.1, helm: {values: "nfd: {enabled: yes}"}}',
      ),
      expected: { given: { nfd: { enabled: true } }, name: 'net', appVersion: 'v26.4.1' },
    },
    {
      name: 'an Application with several sources, of which the object counts',
      text: application(
        'sources: [{ref: values}, {chart: network-operator, helm: {releaseName: r, values: "nfd: {enabled: false}", valuesObject: {nfd: {enabled: true}}}}]',
      ),
      expected: { given: { nfd: { enabled: true } }, name: 'r' },
    },
  ])('$name has the values', ({ text, expected }) => {
    const { release, findings } = appliedOf(text) ?? {};
    expect(release).toEqual({ ...expected, values: expected.given });
    expect(findings).toEqual([]);
  });

  it('of the SR-IOV Network Operator’s chart has its values under the name by which it is published, too', () => {
    const charts = ['sriov-network-operator', 'sriov-network-operator-chart'].map((chart) =>
      appliedOf(helmRelease(`{${TARGET}, chart: {spec: {chart: ${chart}}}, values: {images: {operator: "x/y:1"}}}`)),
    );
    expect(charts[0]?.release).toMatchObject({ isOnlySriov: true, name: `${NAMESPACE}-net` });
    expect(charts[1]).toEqual(charts[0]);
  });

  it.each([
    {
      name: 'another chart',
      text: helmRelease(`{${TARGET}, chart: {spec: {chart: gpu-operator}}, values: {operator: {}}}`),
    },
    {
      name: 'an OCI artifact that may be any chart',
      text: helmRelease(`{${TARGET}, chartRef: {name: x}, values: {operator: {}}}`),
    },
    { name: 'a folder of manifests', text: application('source: {path: manifests}') },
  ])('is left alone: $name', ({ text }) => {
    expect(appliedOf(text)).toBeUndefined();
  });

  it('in another namespace installs another operator, and says which', () => {
    const { release, findings = [] } = appliedOf(helmRelease(`{targetNamespace: tenant, ${CHART}}`)) ?? {};
    expect(release).toBeUndefined();
    expect(findings.map(({ message, help }) => [message, help])).toEqual([
      [
        expect.stringContaining('installs the chart in the namespace `tenant`'),
        expect.stringContaining('--namespace tenant'),
      ],
    ]);
  });

  it('names values that are elsewhere', () => {
    const flux = appliedOf(helmRelease(`{${TARGET}, ${CHART}, valuesFrom: [{kind: ConfigMap, name: a}]}`));
    const argo = appliedOf(
      application('source: {chart: network-operator, helm: {valueFiles: [a], parameters: [{name: a}]}}'),
    );
    expect([flux, argo].map((one) => one?.findings.map(({ message }) => message))).toEqual([
      [expect.stringContaining('`valuesFrom` of HelmRelease `flux-system/net` is not carried over')],
      [expect.stringContaining('`valueFiles`, `parameters` of Application `argocd/net` are not carried over')],
    ]);
  });
});

describe('values with `deployCR`', () => {
  it('are the policy that the chart makes of them', () => {
    const text = `
deployCR: true
imagePullSecrets: [all]
tolerations: [{key: a, operator: Exists}]
ofedDriver:
  deploy: true
  repository: mirror.corp/x
  imagePullSecrets: [own]
  certConfig: {name: ""}
  repoConfig: {name: repos}
  upgradePolicy: {maxParallelUpgrades: 2, drain: {force: false}}
rdmaSharedDevicePlugin: {resources: [{name: a, ifNames: [ens1f0], vendors: []}]}
sriovDevicePlugin: {deploy: true, resources: [{name: b, pfNames: [ens2f0]}]}
secondaryNetwork: {multus: {deploy: false}, ipoib: {deploy: true}}
nvIpam: {deploy: true}
`;
    expect(policyOf(text)).toEqual({
      tolerations: [{ key: 'a', operator: 'Exists' }],
      ofedDriver: {
        repository: 'mirror.corp/x',
        imagePullSecrets: ['own'],
        repoConfig: { name: 'repos' },
        upgradePolicy: {
          autoUpgrade: true,
          maxParallelUpgrades: 2,
          drain: { enable: true, deleteEmptyDir: true },
        },
      },
      rdmaSharedDevicePlugin: {
        imagePullSecrets: ['all'],
        config: { configList: [{ resourceName: 'a', rdmaHcaMax: 63, selectors: { ifNames: ['ens1f0'] } }] },
      },
      sriovDevicePlugin: {
        imagePullSecrets: ['all'],
        config: {
          resourceList: [
            { resourcePrefix: 'nvidia.com', resourceName: 'b', selectors: { pfNames: ['ens2f0'], isRdma: true } },
          ],
        },
      },
      secondaryNetwork: { cniPlugins: { imagePullSecrets: ['all'] }, ipoib: {} },
      nvIpam: { imagePullSecrets: ['all'] },
    });
    expect(codesOf(text)).toEqual(['WEFT0570']);
  });

  it('say that nobody knows what gives addresses', () => {
    expect(codesOf('deployCR: true\n')).toEqual(['WEFT0570', 'WEFT0564']);
  });

  it('are not read without it, and say why', () => {
    const { documents, findings } = ofValues('nfd: {enabled: true}\nnvIpam: {deploy: true}\n');
    expect(documents.map(({ kind }) => kind)).toEqual(['Cluster']);
    expect(findings.map(({ message }) => message)).toContainEqual(
      'the value `nvIpam.deploy` of the chart is not carried over: a chart makes a policy of them only up to v24.7, and with `deployCR: true`',
    );
  });

  it('give way to the policy of the cluster', () => {
    const spec = { nvIpam: { image: 'x', repository: 'a.b', version: 'v1' } };
    const policy = {
      apiVersion: 'mellanox.com/v1alpha1',
      kind: 'NicClusterPolicy',
      metadata: { name: 'nic-cluster-policy' },
      spec,
    };
    const { documents } = importCluster({ name: 'east', ...sourceOf('deployCR: true\n'), objects: [policy] });
    expect(documents[1]?.value['spec']).toEqual(spec);
  });
});

it.each([
  { text: 'operator: {cniBinDirectory: /x}\na: 1\n', isLost: false },
  { text: 'operator: {cniBinDirectory: /x}\na: 1\nb: 2\n', isLost: true },
  // Settings of the operator's own pod say nothing of the others.
  { text: 'operator: {admissionController: {enabled: true}}\nupgradeCRDs: true\nfoo: {bar: 1}\n', isLost: true },
  // What the operator's own pod has is no loss.
  { text: 'operator: {resources: {limits: {cpu: 1}}, logLevel: a}\n', isLost: false },
])('says where most values are lost: $text', ({ text, isLost }) => {
  expect(codesOf(text).includes('WEFT0571')).toBe(isLost);
});
