import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { COMPANION_NODE_IMAGE } from '../contract/companion-env.js';

const text = readFileSync(join(__dirname, '../../Dockerfile'), 'utf8');
const golden = readFileSync(join(__dirname, 'golden/full.yaml'), 'utf8');

it('the image is made from the image that runs the program of the ConfigMap', () => {
  const bases = [...text.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  expect(new Set(bases)).toEqual(new Set([COMPANION_NODE_IMAGE]));
});

it('the program is where the Job starts it', () => {
  const [, target = ''] = /^COPY --from=build \S+ (\S+)$/m.exec(text) ?? [];
  expect(golden).toContain(`          command:\n            - node\n            - ${target}\n`);
  expect(text).toContain(`ENTRYPOINT ["node", "${target}"]`);
});

it('the user is the one of the pod', () => {
  const [, user = '', group = ''] = /^USER (\d+):(\d+)$/m.exec(text) ?? [];
  expect(golden).toContain(`runAsGroup: ${group}\n`);
  expect(golden).toContain(`runAsUser: ${user}\n`);
});
