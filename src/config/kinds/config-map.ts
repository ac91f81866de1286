import * as z from 'zod';
import { isConfigMapKey } from '../../lib/names.js';
import { metadata } from '../shapes/document.js';

const data = z.record(
  z.string().refine(isConfigMapKey, { error: 'must be a key: letters, digits, `-`, `_` and `.`' }),
  z.string(),
);

/** A ConfigMap that a policy names, given beside it. */
export const configMap = z
  .strictObject({
    apiVersion: z.literal('v1').describe('Version of the API.'),
    kind: z.literal('ConfigMap').describe('Kind of the document.'),
    metadata,
    data: data.optional().describe('Text, key by key.'),
    binaryData: data.optional().describe('Base64, key by key.'),
    immutable: z.boolean().optional().describe('Whether the data can never change.'),
  })
  .describe('A ConfigMap that a policy names.');

/** A `ConfigMap` document as it is written. */
export type ConfigMapDocument = z.input<typeof configMap>;
