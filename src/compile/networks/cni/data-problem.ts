import type * as z from 'zod';
import { placesInJson } from '../../load/json/place.js';
import { withoutNulls } from '../../../shared/lib/json.js';
import { describeIssue } from '../../model/issues.js';
import type { TextProblem } from '../../model/shapes/json-text.js';
import { jsonProblem } from './json-limits.js';

/**
 * The first problem of the data in JSON text, with its place: a value that the schema refuses, or that JavaScript would
 * change. Unknown keys are allowed, because an existing network must compile unchanged.
 *
 * @param data the parsed text
 */
export function dataProblem(text: string, data: unknown, schema: z.ZodType): TextProblem | undefined {
  const issue = schema.safeParse(withoutNulls(data)).error?.issues.find(({ code }) => code !== 'unrecognized_keys');
  if (issue === undefined) return jsonProblem(text);
  const { message, path } = describeIssue(issue, data);
  return { message: `: ${message}`, range: placesInJson(text)(path), inner: { issue, data, schema } };
}
