import { type FieldType, kubernetesVersion, namedType } from '../../src/shared/kubernetes/api/field-types.js';

const HEAD = `/**
 * Types of Kubernetes ${kubernetesVersion} that documents have; its own reference says what their fields mean. \`npm run types\` writes
 * this file.
 */
`;

/** The name that the library has for a type of Kubernetes. */
export const interfaceOf = (type: string): string => `Kubernetes${type.split('.').at(-1) ?? ''}`;

/** The text of a file with interfaces for types of Kubernetes, and for all types of their fields, before it is formatted. */
export function kubernetesTypes(names: Iterable<string>): string {
  const interfaces = new Map<string, string>();
  const queue = [...names];
  const use = (name: string): string => {
    queue.push(name);
    return interfaceOf(name);
  };
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    if (interfaces.has(interfaceOf(name))) continue;
    interfaces.set(interfaceOf(name), declaration(name, use));
  }
  const texts = [...interfaces].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return [HEAD, ...texts].join('\n');
}

function declaration(name: string, use: (name: string) => string): string {
  const type = namedType(name);
  if (type.is !== 'mapping') throw new Error(`${name} is no mapping`);
  const required = type.required?.() ?? [];
  const fields = Object.entries(type.fields()).map(([key, field]) =>
    required.includes(key)
      ? `readonly ${key}: ${textOf(field, use)};\n`
      : `readonly ${key}?: ${textOf(field, use)} | undefined;\n`,
  );
  return `/** ${name} of Kubernetes. */\nexport interface ${interfaceOf(name)} {\n${fields.join('')}}\n`;
}

function textOf(type: FieldType, use: (name: string) => string): string {
  switch (type.is) {
    case 'any':
      return 'unknown';
    case 'amount':
      return 'string | number';
    case 'integer':
      return 'number';
    case 'boolean':
    case 'number':
    case 'string':
      return type.is;
    case 'list':
      return `readonly (${textOf(type.of(), use)})[]`;
    case 'map':
      return `Readonly<Record<string, ${textOf(type.of(), use)}>>`;
    case 'mapping':
      if (type.name === undefined) throw new Error('a type of Kubernetes has a name');
      return use(type.name);
  }
}
