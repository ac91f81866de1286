import { expect, it } from '@jest/globals';
import { holdsSecret } from './secret-text.js';
import { isSecretVariable, secretIn } from './secret-shapes.js';

it.each(['eyJ-', 'ghp_', 'a:b@', 'https://', 'a+://b:', '-----BEGIN ', 'A ', 'kind:', 'kind ', 'x_', '<', '$'])(
  'a long text of %j takes no longer than its length',
  (part) => {
    const text = part.repeat(1_000_000 / part.length);
    const begin = process.cpuUsage().user;
    expect([secretIn(text), holdsSecret(text), isSecretVariable(text, text)]).toEqual([undefined, false, false]);
    // A hundred times what it takes; a quadratic pattern takes minutes.
    expect(process.cpuUsage().user - begin).toBeLessThan(5_000_000);
  },
);
