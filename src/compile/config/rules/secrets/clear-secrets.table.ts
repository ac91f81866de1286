import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const env = (...variables: readonly string[]): string =>
  policyText('NicClusterPolicy', 'nic-cluster-policy', `  ofedDriver:\n    env: [${variables.join(', ')}]\n`);
const variable = (name: string, value: string): string => `{name: ${name}, value: ${JSON.stringify(value)}}`;
const configMap = (data: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: ${data}\n`;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const said = (what: string) => `network.yaml:4:11 \`data.a\` has ${what} in clear text, which goes to git`;

const FROM_SECRET =
  'take it from a Secret: `valueFrom: {secretKeyRef: {name: …, key: …}}` instead of `value`; where it is no secret, write `# weft-ignore WEFT0360: reason` above it';

testRule('WEFT0360', {
  valid: [
    {
      name: 'variables without secrets',
      policy: env(
        variable('UNLOAD_STORAGE_MODULES', 'true'),
        variable('HTTPS_PROXY', 'http://proxy.example.com:3128'),
        variable('TOKEN_TTL', '3600'),
        variable('USE_TOKEN', 'true'),
        variable('API_KEY', ''),
        variable('DB_PASSWORD', '/etc/secret/password'),
        variable('DB_PASSWORD_FILE', 'a'),
        variable('IMAGE_PULL_SECRET', 'ngc'),
        variable('KEY', 'a'),
        '{name: UFM_PASSWORD, valueFrom: {secretKeyRef: {name: ufm, key: password}}}',
      ),
    },
    {
      name: 'what is filled in, encrypted or an example',
      policy: env(
        variable('A_PASSWORD', '${PASSWORD}'),
        variable('B_TOKEN', '{{ .token }}'),
        variable('C_SECRET', 'ENC[AES256_GCM,data:a]'),
        variable('HTTP_PROXY', 'http://user:$(PASSWORD)@proxy:3128'),
        variable('HTTPS_PROXY', 'http://user:<password>@proxy:3128'),
        variable('NO_PROXY', 'http://user:****@proxy:3128'),
      ),
    },
    {
      name: 'texts that look like a part of a secret',
      network: configMap(
        '{a: "AKIA eyJ glpat-short ghp_short nvapi- xoxb-1 user@example.com http://[fd00::1]:80/a@b", ca.crt: "-----BEGIN CERTIFICATE-----"}',
      ),
    },
  ],
  invalid: [
    {
      name: 'a variable by its name',
      policy: env(variable('UFM_PASSWORD', 'hunter2'), variable('NGC_API_KEY', 'a')),
      expected: [
        'policy.yaml:7:39 `spec.ofedDriver.env[0].value` has the value of `UFM_PASSWORD` in clear text, which goes to git',
        'policy.yaml:7:78 `spec.ofedDriver.env[1].value` has the value of `NGC_API_KEY` in clear text, which goes to git',
      ],
      help: FROM_SECRET,
    },
    {
      name: 'the login of a proxy',
      policy: env(variable('HTTPS_PROXY', 'http://user:hunter2@proxy.example.com:3128')),
      expected: [
        'policy.yaml:7:38 `spec.ofedDriver.env[0].value` has a URL with a password in clear text, which goes to git',
      ],
      help: FROM_SECRET,
    },
    {
      name: 'a text of a Cluster',
      cluster: clusterText(
        `  release: v26.4\n  patches: [{target: {kind: DaemonSet}, patch: {spec: {template: {spec: {containers: [{name: a, env: [{name: A_TOKEN, value: b}]}]}}}}}]\n  nodePools:\n${UBUNTU_POOL}`,
      ),
      expected: [
        'cluster.yaml:7:126 `spec.patches[0].patch.spec.template.spec.containers[0].env[0].value` has the value of `A_TOKEN` in clear text, which goes to git',
      ],
    },
    {
      name: 'a key of a ConfigMap by its name',
      network: configMap('{db.password: hunter2}'),
      expected: [
        'network.yaml:4:21 `data["db.password"]` has the value of `db.password` in clear text, which goes to git',
      ],
      help: 'keep it in a Secret that is not in git, or in a SealedSecret or an ExternalSecret, and refer to that; where it is no secret, write `# weft-ignore WEFT0360: reason` above it',
    },
    ...[
      ['a token of GitHub', `ghp_${LETTERS}`],
      ['a token of GitHub', `github_pat_${LETTERS}`],
      ['a token of GitLab', `glpat-${LETTERS}`],
      ['a key of NVIDIA NGC', `nvapi-${LETTERS}`],
      ['a token of Slack', `xoxb-${LETTERS}`],
      ['an access key of AWS', 'AKIA0123456789ABCDEF'],
      ['a JSON Web Token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc'],
      ['a private key', '-----BEGIN RSA PRIVATE KEY-----'],
      ['a private key', '-----BEGIN PRIVATE KEY-----'],
      ['a URL with a password', 'see https://user:hunter2@example.com/'],
      ['a token of GitHub', `{{ .a }} ghs_${LETTERS}`],
    ].map(([what = '', text = '']) => ({
      name: `${what}: ${text.slice(0, 12)}`,
      network: configMap(`{a: "${text}"}`),
      expected: [said(what)],
    })),
  ],
});
