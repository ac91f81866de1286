import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Writes the skeleton of a component: one folder and one line in the registry. What it writes compiles, passes the structure
 * test and renders a DaemonSet; CONTRIBUTING.md describes the next steps.
 */
const USAGE = `usage: npm run new-component -- ID SECTION [--node] [--gated]

  ID        upstream's name in kebab-case: the folder, for instance multus-cni
  SECTION   the key in the NicClusterPolicy, with dots where it lies deeper, for instance secondaryNetwork.multus
  --node    the NicNodePolicy has the section too
  --gated   its pods must wait for the driver

example: npm run new-component -- example-agent exampleAgent
`;

interface Names {
  readonly id: string;
  readonly path: readonly string[];
  /** camelCase, the value in the registry. */
  readonly value: string;
  /** PascalCase, the construct. */
  readonly type: string;
  readonly isNode: boolean;
  readonly isGated: boolean;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { node: { type: 'boolean', default: false }, gated: { type: 'boolean', default: false } },
});
const [id = '', section = ''] = positionals;
const folder = join('src/compile/components', id);
const problem = findProblem();
if (problem === undefined) {
  writeSkeleton();
} else {
  process.stderr.write(`error: ${problem}\n\n${USAGE}`);
  process.exitCode = 2;
}

function findProblem(): string | undefined {
  if (positionals.length !== 2) return 'an id and a section are needed';
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(id)) return `\`${id}\` is not kebab-case`;
  if (!/^[a-z][A-Za-z0-9]*(?:\.[a-z][A-Za-z0-9]*)?$/.test(section)) return `\`${section}\` is not a key of a policy`;
  return existsSync(folder) ? `${folder} exists` : undefined;
}

function writeSkeleton(): void {
  const type = id.replace(/(?:^|-)([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
  const names: Names = {
    id,
    path: section.split('.'),
    value: type.charAt(0).toLowerCase() + type.slice(1),
    type,
    isNode: values.node,
    isGated: values.gated,
  };
  mkdirSync(folder, { recursive: true });
  const files = { 'index.ts': index(names), 'schema.ts': schema(names), 'manifests.ts': manifests(names) };
  for (const [name, text] of Object.entries({
    ...files,
    'manifests.test.ts': test(names),
    'README.md': readme(names),
  })) {
    writeFileSync(join(folder, name), text);
  }
  register(names);
  process.stdout.write(
    `${folder}: written, and registered in src/compile/components/registry.ts\nnext: \`npm run types\`; CONTRIBUTING.md, "Add a component"\n`,
  );
}

function register({ id: name }: Names): void {
  const file = 'src/compile/components/registry.ts';
  const lines = readFileSync(file, 'utf8').split('\n');
  const line = `export * from './${name}/index.js';`;
  const next = lines.findIndex((one) => one.startsWith('export') && one > line);
  lines.splice(next === -1 ? lines.length - 1 : next, 0, line);
  writeFileSync(file, lines.join('\n'));
}

function index({ id: name, path, value, type, isNode, isGated }: Names): string {
  return `import type { Component } from '../component.js';
import { SINCE } from '../kubernetes-since.js';
import { CONTAINER, ${type}, STATUS_NAME } from './manifests.js';
import { schema, type ${type}Spec } from './schema.js';

export { ${type} };
export type { ${type}Props } from './manifests.js';

/**
 * ${type}.
 *
 * @internal
 */
export const ${value} = {
  id: '${name}',
  statusName: STATUS_NAME,
  source: { kind: 'policy', path: [${path.map((key) => `'${key}'`).join(', ')}], scopes: [${isNode ? "'cluster', 'node'" : "'cluster'"}] } as const,
  schema,
  imageKeys: [{ path: [], release: '${path.at(-1) ?? ''}' }],
  containers: () => [CONTAINER],
  crds: [],
  minimumKubernetes: SINCE.appsV1,
  gated: ${String(isGated)},
  providesDriver: false,
  construct: ${type},
} satisfies Component<${type}Spec>;
`;
}

function schema({ type, path }: Names): string {
  return `import type * as z from 'zod';
import { imageSpec, type WithImage } from '../../model/shapes/image-spec.js';

/** The section \`${path.join('.')}\`. */
export const schema = imageSpec.extend({}).describe('${type}.');

/** The section as it is written; \`npm run types\` writes \`${type}Input\`, which takes the place of this type. */
export type ${type}Section = z.input<typeof schema>;

/** The section with complete images. */
export type ${type}Spec = WithImage<z.output<typeof schema>>;
`;
}

function manifests({ id: name, type }: Names): string {
  return `import type { Construct } from 'constructs';
import type { BuildContext, ComponentProps } from '../component.js';
import { ComponentConstruct } from '../component-construct.js';
import type { InCluster } from '../../model/cluster-scope.js';
import type { Instance } from '../../model/config.js';
import { DS_OWNER_LABEL } from '../../../shared/contract/labels.js';
import { imageReference } from '../../../shared/kubernetes/image-reference.js';
import type { KubernetesObject, PodSpec } from '../../../shared/kubernetes/types.js';
import { addObject } from '../../../shared/kubernetes/objects.js';
import { containerResources, daemonSetTolerations, driverGate, NIC_NODES, operatorMetadata, pullSecrets } from '../pod-parts.js';
import type { ${type}Section, ${type}Spec } from './schema.js';

/** Name of the state in the operator's status. */
export const STATUS_NAME = 'state-${name}';
export const CONTAINER = '${name}';

const component = { statusName: STATUS_NAME };

/** The props of \`${type}\`: its section of a policy, and the cluster. */
export interface ${type}Props extends ${type}Section, InCluster {}

/** ${type}: a DaemonSet for each policy. */
export class ${type} extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: ${type}Props) {
    super(scope, id, '${name}', props);
  }

  /** @internal */
  protected override build({ instances, context }: ComponentProps<${type}Spec>): void {
    for (const instance of instances) addObject(this, daemonSet(instance, context));
  }
}

function daemonSet(instance: Instance<${type}Spec>, context: BuildContext): KubernetesObject {
  const app = \`${name}\${instance.nameSuffix}\`;
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: operatorMetadata(\`${name}-ds\${instance.daemonSetSuffix}\`, context.cluster.namespace, component, instance),
    spec: {
      selector: { matchLabels: { app } },
      template: {
        metadata: { labels: { app, [DS_OWNER_LABEL]: instance.owner.label } },
        spec: podSpec(instance, context),
      },
    },
  };
}

function podSpec(instance: Instance<${type}Spec>, { gateOf }: BuildContext): PodSpec {
  const { spec } = instance;
  const image = imageReference(spec);
  const gate = driverGate(gateOf(instance), { image, hasShell: true });
  return {
    tolerations: daemonSetTolerations(instance),
    ...pullSecrets(spec),
    ...gate.waits,
    containers: [
      {
        name: CONTAINER,
        image,
        imagePullPolicy: 'IfNotPresent',
        ...containerResources(spec, CONTAINER),
      },
    ],
    volumes: gate.volumes,
    nodeSelector: { ...NIC_NODES, ...gate.nodeSelector, ...instance.nodeSelector },
    ...(instance.affinity && { affinity: { nodeAffinity: instance.affinity } }),
  };
}
`;
}

function test({ id: name, path }: Names): string {
  const open = path.map((key) => `{ ${key}: `).join('');
  const close = ' }'.repeat(path.length);
  return `import { describe, expect, it } from '@jest/globals';
import type { InputDocument } from '../../model/input.js';
import { resolveConfig } from '../../../../test/kit/resolve-config.js';
import { buildObjects } from '../../synth.js';

const image = { image: '${name}', repository: 'registry.example.com/nic', version: 'v1.0.0' };
const documents = [
  {
    apiVersion: 'weft.dev/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'test' },
    spec: { nodePools: [{ name: 'workers', osName: 'ubuntu', osVersion: '24.04', arch: 'amd64' }] },
  },
  {
    apiVersion: 'mellanox.com/v1alpha1',
    kind: 'NicClusterPolicy',
    metadata: { name: 'nic-cluster-policy' },
    spec: ${open}image${close},
  },
] as unknown as InputDocument[];

describe('${name}', () => {
  it('renders a DaemonSet with the image of the section', () => {
    const placed = buildObjects(resolveConfig(documents)).objects.filter(({ folder }) => folder === '${name}');
    expect(placed).toMatchObject([
      {
        object: {
          kind: 'DaemonSet',
          metadata: { name: '${name}-ds', namespace: 'nvidia-network-operator' },
          spec: { template: { spec: { containers: [{ image: 'registry.example.com/nic/${name}:v1.0.0' }] } } },
        },
      },
    ]);
  });
});
`;
}

function readme({ id: name, path }: Names): string {
  return `# ${name}

The section \`${path.join('.')}\` of a policy: say here what it is for, what it needs, and its caveats.

## Options

<!-- options -->
<!-- /options -->
`;
}
