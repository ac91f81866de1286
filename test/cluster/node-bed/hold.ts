import { shellPod, startNodeBed, untilPod } from './node-bed.js';

/** `hold.ts`: starts a node with a pod, prints `ready`, and leaves them to whoever ends this process. */
async function hold(): Promise<void> {
  const { controlPlane } = await startNodeBed('held', {});
  await controlPlane.client.create(shellPod('held', 'real-1'));
  const isRunning = ({ phase }: { readonly phase?: string }) => phase === 'Running';
  await untilPod(controlPlane, { namespace: 'default', name: 'held' }, 'runs', isRunning);
  process.stdout.write('ready\n');
}

void hold();
