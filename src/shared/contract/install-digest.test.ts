import { describe, expect, it } from '@jest/globals';
import { installDigest } from './install-digest.js';

/** A rendered template; every case below changes one field. */
function template() {
  return {
    metadata: { labels: { app: 'mofed' } as Record<string, string>, annotations: {} as Record<string, string> },
    spec: {
      nodeSelector: { kernel: 'a' } as Record<string, string>,
      tolerations: [] as object[],
      hostNetwork: true,
      containers: [
        {
          name: 'mofed-container',
          image: 'doca-driver:1',
          command: ['run'],
          args: ['--load', '--now'],
          env: [
            { name: 'A', value: '1' } as Record<string, unknown> & { name: string },
            { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
            { name: 'EMPTY' },
            { name: 'KEY', valueFrom: { configMapKeyRef: { name: 'settings', key: 'k' } } },
          ],
          resources: {} as object,
          volumeMounts: [
            { name: 'run', mountPath: '/run/mellanox' } as Record<string, unknown> & {
              name: string;
              mountPath: string;
            },
            { name: 'certs', mountPath: '/certs', subPath: 'a' },
          ],
        },
      ],
      initContainers: [{ name: 'init', image: 'init:1', args: ['--key', 'config.json'] }],
      volumes: [
        { name: 'run', hostPath: { path: '/run/mellanox' } as Record<string, unknown> } as { name: string },
        {
          name: 'certs',
          configMap: {
            name: 'corp-ca',
            items: [
              { key: 'a', path: 'a' },
              { key: 'b', path: 'b' },
            ],
          },
        } as { name: string },
      ],
    },
  };
}

type Template = ReturnType<typeof template>;

function at<Item>(list: readonly Item[], index: number): Item {
  const item = list[index];
  if (item === undefined) throw new Error(`nothing at ${index}`);
  return item;
}

const main = (of: Template) => at(of.spec.containers, 0);
const mount = (of: Template, index: number) => at(main(of).volumeMounts, index);
const source = (of: Template, index: number, kind: string) =>
  (at(of.spec.volumes, index) as unknown as Record<string, Record<string, unknown>>)[kind] ?? {};
const items = (of: Template) => source(of, 1, 'configMap')['items'] as unknown[];

const same: { name: string; change: (of: Template) => void }[] = [
  { name: 'a label', change: (of) => (of.metadata.labels['x'] = 'y') },
  { name: 'a toleration', change: (of) => of.spec.tolerations.push({ operator: 'Exists' }) },
  { name: 'the node selector', change: (of) => (of.spec.nodeSelector = {}) },
  { name: 'resource limits', change: (of) => (main(of).resources = { limits: { cpu: '1' } }) },
  { name: 'a probe', change: (of) => Object.assign(main(of), { readinessProbe: { exec: { command: ['x'] } } }) },
  {
    name: 'the fields that the API server adds to a container',
    change: (of) => Object.assign(main(of), { imagePullPolicy: 'Always', terminationMessagePath: '/dev/x' }),
  },
  { name: 'defaultMode', change: (of) => (source(of, 1, 'configMap')['defaultMode'] = 420) },
  { name: 'an empty hostPath type', change: (of) => (source(of, 0, 'hostPath')['type'] = '') },
  {
    name: 'apiVersion of a fieldRef',
    change: (of) =>
      (main(of).env[1] = { name: 'NODE', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'spec.nodeName' } } }),
  },
  { name: 'an empty value', change: (of) => (main(of).env[2] = { name: 'EMPTY', value: '' }) },
  { name: 'readOnly: false', change: (of) => (mount(of, 0)['readOnly'] = false) },
  { name: 'mountPropagation: None', change: (of) => (mount(of, 0)['mountPropagation'] = 'None') },
  { name: 'a mirror for another registry', change: (of) => (of.metadata.annotations = { [MIRROR]: 'a.b=c.d' }) },
  { name: 'an annotation that is no mirror', change: (of) => (of.metadata.annotations = { [MIRROR]: 'nvcr.io' }) },
  { name: 'the order of mounts', change: (of) => main(of).volumeMounts.reverse() },
  { name: 'the order of volumes', change: (of) => of.spec.volumes.reverse() },
  { name: 'the order of items', change: (of) => items(of).reverse() },
  {
    name: "the operator's init container",
    change: (of) =>
      of.spec.initContainers.push({ name: 'network-operator-init-container', image: 'init:2', args: ['--wait'] }),
  },
  { name: 'a volume that nothing mounts', change: (of) => of.spec.volumes.push({ name: 'unused' }) },
  {
    name: "a volume's name",
    change: (of) => {
      at(of.spec.volumes, 0).name = 'other';
      mount(of, 0).name = 'other';
    },
  },
];

const MIRROR = 'mirror.weft.dev/mofed-container';

const different: typeof same = [
  {
    name: 'an image by hand, below a mirror',
    change: (of) => {
      of.metadata.annotations = { [MIRROR]: 'nvcr.io=harbor.corp' };
      main(of).image = 'harbor.corp/doca-driver:2';
    },
  },
  {
    name: 'an image of another registry that no mirror names',
    change: (of) => (main(of).image = 'harbor.corp/doca-driver:1'),
  },
  { name: 'the image', change: (of) => (main(of).image = 'doca-driver:2') },
  { name: 'the image of another init container', change: (of) => (at(of.spec.initContainers, 0).image = 'init:2') },
  { name: 'the command', change: (of) => (main(of).command = ['other']) },
  { name: 'the order of arguments', change: (of) => main(of).args.reverse() },
  { name: 'a value', change: (of) => (main(of).env[0] = { name: 'A', value: '2' }) },
  { name: 'the order of variables', change: (of) => main(of).env.reverse() },
  {
    name: 'the key that a variable reads',
    change: (of) => (main(of).env[3] = { name: 'KEY', valueFrom: { configMapKeyRef: { name: 'settings', key: 'l' } } }),
  },
  { name: 'a mount path', change: (of) => (mount(of, 0).mountPath = '/run/other') },
  { name: 'a subPath', change: (of) => (mount(of, 1)['subPath'] = 'b') },
  { name: 'mountPropagation', change: (of) => (mount(of, 0)['mountPropagation'] = 'Bidirectional') },
  { name: 'readOnly', change: (of) => (mount(of, 0)['readOnly'] = true) },
  { name: 'the source path', change: (of) => (source(of, 0, 'hostPath')['path'] = '/x') },
  { name: 'the hostPath type', change: (of) => (source(of, 0, 'hostPath')['type'] = 'File') },
  { name: 'the ConfigMap', change: (of) => (source(of, 1, 'configMap')['name'] = 'x') },
  { name: 'an item of the ConfigMap', change: (of) => items(of).pop() },
  { name: 'one mount less', change: (of) => main(of).volumeMounts.pop() },
];

describe('installDigest', () => {
  const digest = installDigest(template());

  it('is 16 hexadecimal digits, the same as in earlier versions', () => {
    expect(digest).toMatchInlineSnapshot(`"f4a9dc2974eb0684"`);
  });

  it.each(same)('does not change with $name', ({ change }) => {
    const changed = template();
    change(changed);
    expect(installDigest(changed)).toBe(digest);
  });

  it.each(different)('changes with $name', ({ change }) => {
    const changed = template();
    change(changed);
    expect(installDigest(changed)).not.toBe(digest);
  });

  it('is that of the image before the mirror', () => {
    const [before, after] = [template(), template()];
    main(before).image = 'nvcr.io/nvidia/doca-driver:1';
    main(after).image = 'harbor.corp/nvcr/nvidia/doca-driver:1';
    after.metadata.annotations = { [MIRROR]: 'nvcr.io=harbor.corp/nvcr' };
    expect(installDigest(after)).toBe(installDigest(before));
  });

  it('is that of the image before the pin that the template names, and of no other pin', () => {
    const [before, after] = [template(), template()];
    main(before).image = 'nvcr.io/nvidia/doca-driver:1';
    main(after).image = 'harbor.corp/nvidia/doca-driver:1@sha256:aa';
    after.metadata.annotations = {
      [MIRROR]: 'nvcr.io/nvidia/doca-driver:1=harbor.corp/nvidia/doca-driver:1@sha256:aa',
    };
    expect(installDigest(after)).toBe(installDigest(before));
    main(after).image = 'harbor.corp/nvidia/doca-driver:1@sha256:bb';
    expect(installDigest(after)).not.toBe(installDigest(before));
  });

  it('takes a volume without a source for the emptyDir that the API server makes of it', () => {
    const rendered = template();
    const defaulted = template();
    rendered.spec.volumes[0] = { name: 'run' };
    defaulted.spec.volumes[0] = { name: 'run', emptyDir: {} } as { name: string };
    expect(installDigest(rendered)).toBe(installDigest(defaulted));
  });

  /** Names that every object of JavaScript has. */
  it.each(['constructor', 'toString', '__proto__', 'prototype'])('%s is an attribute of a volume', (name) => {
    const withAttribute = (attribute: string) => {
      const csi = { driver: 'x', volumeAttributes: { [attribute]: 'y' } };
      const containers = [{ name: 'a', volumeMounts: [{ name: 'v', mountPath: '/v' }] }];
      return { spec: { containers, volumes: [{ name: 'v', csi }] } };
    };
    expect(installDigest(withAttribute(name))).not.toBe(installDigest(withAttribute('ordinary')));
  });

  it('has an answer for an empty template', () => {
    expect(installDigest({})).toMatch(/^[0-9a-f]{16}$/);
  });
});
