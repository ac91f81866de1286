import * as z from 'zod';
import { metadata } from '../shapes/document.js';
import { textMap } from '../shapes/text.js';

/** A ConfigMap that a policy names, given beside it. */
export const configMap = z
  .strictObject({
    apiVersion: z.literal('v1').describe('Version of the API.'),
    kind: z.literal('ConfigMap').describe('Kind of the document.'),
    metadata,
    data: textMap.optional().describe('Text, key by key.'),
    binaryData: textMap.optional().describe('Base64, key by key.'),
    immutable: z.boolean().optional().describe('Whether the data can never change.'),
  })
  .describe('A ConfigMap that a policy names.');

/** A `ConfigMap` document as it is written. */
export type ConfigMapDocument = z.input<typeof configMap>;
