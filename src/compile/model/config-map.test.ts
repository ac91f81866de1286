import { testRule } from '../../../test/golden/rule-table.js';

const configMap = (value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nbinaryData: {some.key: ${value}}\n`;

testRule('WEFT0143', {
  valid: [
    { name: 'nothing', network: configMap('""') },
    { name: 'Base64', network: configMap('AAECAw==') },
    { name: 'Base64 on several lines', network: configMap('"AAEC\\nAw==\\n"') },
  ],
  invalid: [
    {
      name: 'a key with an umlaut',
      network: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {"ä": b}\n',
      expected: ['network.yaml:4:8 `data["ä"]` must be a key: letters, digits, `-`, `_` and `.`'],
    },
    ...['AAECAw', 'AAE-', 'text with spaces'].map((value) => ({
      name: value,
      network: configMap(value),
      expected: ['network.yaml:4:24 `binaryData["some.key"]` must be Base64'],
    })),
  ],
});
