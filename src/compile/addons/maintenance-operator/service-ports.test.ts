import { expect, it } from '@jest/globals';
import { servicePorts } from './service-ports.js';

/** Cases of the API server's own checks (apimachinery pkg/util/validation/validation_test.go, v0.36). */
const VALID = ['telnet', 're-mail-ck', 'pop3', 'a', 'a-1', '1-a', 'a-1-b-2-c', '1-a-2-b-3'];
const INVALID = [
  'longerthan15characters',
  '',
  'a'.repeat(16),
  '12345',
  '1-2-3-4',
  '-begin',
  'end-',
  'two--hyphens',
  'whois++',
  'A',
];

it.each([
  ...VALID.map((targetPort) => ({ targetPort, isName: true })),
  ...INVALID.map((targetPort) => ({ targetPort, isName: false })),
])('"$targetPort" is the name of a port: $isName', ({ targetPort, isName }) => {
  expect(servicePorts().safeParse([{ port: 1, targetPort }]).success).toBe(isName);
});
