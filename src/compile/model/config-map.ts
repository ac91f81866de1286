import * as z from 'zod';
import { isConfigMapKey } from '../../shared/kubernetes/names.js';
import { objectMetadata } from './shapes/document.js';
import { strictObject } from '../../shared/lib/strict-object.js';

const key = z.string().refine(isConfigMapKey, { error: 'must be a key: letters, digits, `-`, `_` and `.`' });
/** The API server decodes it and ignores line breaks (Go's `encoding/base64`). */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const base64 = z.string().refine((text) => BASE64.test(text.replace(/[\r\n]/g, '')), { error: 'must be Base64' });

/** A ConfigMap of the input to which a policy refers. */
export const configMap = strictObject(() => ({
  apiVersion: z.literal('v1').describe('Version of the API.'),
  kind: z.literal('ConfigMap').describe('Kind of the document.'),
  metadata: objectMetadata,
  data: z.record(key, z.string()).optional().describe('Text, key by key.'),
  binaryData: z.record(key, base64).optional().describe('Base64, key by key.'),
  immutable: z.boolean().optional().describe('Whether the data can never change.'),
})).describe('A ConfigMap that a policy names.');
