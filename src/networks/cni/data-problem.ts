import type * as z from 'zod';
import { placesInJson } from '../../load/json/place.js';
import { describeIssue } from '../../model/issues.js';
import type { TextProblem } from '../../model/shapes/json-text.js';
import { jsonProblem } from './json-limits.js';

/**
 * What is wrong with the data of JSON text, and where in the text: the first that the schema refuses, or what would not come
 * out as it went in. Keys that a plugin does not know are its own business here: an existing network must compile unchanged.
 *
 * @param data what the text was read as
 */
export function dataProblem(text: string, data: unknown, schema: z.ZodType): TextProblem | undefined {
  const issue = schema.safeParse(data).error?.issues.find(({ code }) => code !== 'unrecognized_keys');
  if (issue === undefined) return jsonProblem(text);
  const { message, path } = describeIssue(issue, data);
  return { message: `: ${message}`, range: placesInJson(text)(path), inner: { issue, data, schema } };
}
