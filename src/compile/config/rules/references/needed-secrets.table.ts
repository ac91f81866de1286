import { policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const policy = (spec: string) => policyText('NicClusterPolicy', 'nic-cluster-policy', spec);
const PULL = policy('  nvIpam: {imagePullSecrets: [ngc-secret]}\n');
const UFM = policy(
  '  ibKubernetes: {ufmSecret: ufm-login, pKeyGUIDPoolRangeStart: "02:00:00:00:00:00:00:00", pKeyGUIDPoolRangeEnd: "02:FF:FF:FF:FF:FF:FF:FF"}\n',
);
const sealed = (name: string) =>
  `---\napiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {name: ${name}}\nspec: {encryptedData: {}}\n`;
const external = (name: string, target: string) =>
  `---\napiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: ${name}, namespace: nvidia-network-operator}\nspec: {target: {name: ${target}}}\n`;

testRule('WEFT0269', {
  valid: [
    { name: 'a Secret, and nothing that makes Secrets', policy: PULL },
    { name: 'a SealedSecret', policy: `${PULL}${sealed('ngc-secret')}` },
    { name: 'an ExternalSecret for it', policy: `${PULL}${external('registry', 'ngc-secret')}` },
    { name: 'only Secrets of other names', policy: `${PULL}${sealed('database')}` },
  ],
  invalid: [
    {
      name: 'a name that is almost that of a SealedSecret',
      policy: `${PULL}${sealed('ngc-secrets')}`,
      expected: ['policy.yaml:6:31 no document makes the Secret `ngc-secret` in namespace `nvidia-network-operator`'],
      help: 'did you mean `ngc-secrets`? If something else makes `ngc-secret`, write `# weft-ignore WEFT0269: reason` above this line',
    },
    {
      name: 'the login of UFM in another namespace',
      policy: `${UFM}${sealed('ufm-login, namespace: default')}`,
      expected: ['policy.yaml:6:29 no document makes the Secret `ufm-login` in namespace `nvidia-network-operator`'],
      help: 'SealedSecret `ufm-login` makes it in namespace `default`: pods read Secrets of their own namespace only',
    },
    {
      name: 'a list of mappings of an add-on',
      cluster:
        'apiVersion: weft.dev/v1alpha1\nkind: Cluster\nmetadata: {name: east}\nspec: {release: v26.4, nodePools: [], nodeFeatureDiscovery: {deploy: true, imagePullSecrets: [{name: ngc-secret}]}}\n',
      policy: external('registry', 'ngc-secrets'),
      expected: ['cluster.yaml:4:102 no document makes the Secret `ngc-secret` in namespace `nvidia-network-operator`'],
    },
  ],
});
