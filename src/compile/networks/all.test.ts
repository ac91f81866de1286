import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { networkKinds } from './all.js';

describe('networkKinds', () => {
  it.each(networkKinds)('$kind reads the example of its README', ({ id, schema }) => {
    const readme = readFileSync(join(__dirname, id, 'README.md'), 'utf8');
    const examples = [...readme.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => parse(text ?? '') as unknown);
    expect(examples).toHaveLength(1);
    expect(schema.safeParse(examples[0]).error).toBeUndefined();
  });
});
