import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startNodeBed, shellPod, untilPod, type NodeBed } from '../node-bed/node-bed.js';

let bed: NodeBed;
beforeAll(async () => {
  bed = await startNodeBed('node-ready', {});
});
afterAll(() => bed.stop());

it('a node becomes ready, and runs a pod of an image made here', async () => {
  const { controlPlane, nodes } = bed;
  const [node] = nodes;
  if (node === undefined) throw new Error('no node');
  const pod = { namespace: 'default', name: 'hello' };
  await controlPlane.client.create(shellPod('hello', node.name, 'echo hello; sleep 3600'));
  await untilPod(controlPlane, pod, 'runs', ({ phase }) => phase === 'Running');
  expect(await node.exec(pod, 'shell', 'cat', '/etc/hostname')).toBe('hello\n');
  expect(node.logs(pod, 'shell')).toContain('hello');
});
