import { expect, it } from '@jest/globals';
import { bundledForCompanion } from '../../scripts/build-companion.js';

// Its hash is in the name of the Job: another text of equal code would start the companion again.
it('is the same each time, and fits into its ConfigMap', async () => {
  const program = await bundledForCompanion('src/companion/runtime/main.ts');
  expect(await bundledForCompanion('src/companion/runtime/main.ts')).toBe(program);
  expect(Buffer.byteLength(JSON.stringify(program))).toBeLessThan(600 * 1024);
});
