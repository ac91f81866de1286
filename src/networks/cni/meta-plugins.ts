import * as z from 'zod';
import { placesInJson } from '../../load/json-place.js';
import type { TextRange } from '../../load/yaml-scalar-place.js';
import { addProblem, notRead, parseJson, type TextProblem } from '../../model/shapes/json-text.js';
import { describeIssue } from '../../model/issues.js';
import { isObject, sortKeys } from '../../lib/json.js';
import { jsonProblem } from './json-limits.js';

const plugin = z
  .looseObject({ type: z.string().min(1).describe('CNI plugin.') })
  .describe('Configuration of a CNI plugin.');
const plugins = z.array(plugin).describe('Configurations of CNI plugins, in the order in which they run.');

/** The text as the operator takes it: JSON objects with commas between them and without brackets around them. */
const text = z.string().superRefine((value, context) => {
  const problem = textProblem(value);
  if (problem !== undefined) addProblem(context, problem);
});

function textProblem(value: string): TextProblem | undefined {
  const inBrackets = `[${value}]`;
  const parsed = parseJson(inBrackets);
  if ('error' in parsed) {
    const range = withoutBracket(parsed.range);
    const error = range[0] < value.length ? parsed.error : 'it ends where more should be';
    return notRead('is not a sequence of JSON objects', { ...parsed, error, range });
  }
  const data = parsed.value as readonly unknown[];
  if (!data.every(isObject))
    return { message: 'must be JSON objects with commas between them, and no brackets around them' };
  const issue = plugins.safeParse(data).error?.issues[0];
  if (issue) {
    const { message, path } = describeIssue(issue, data);
    const place = placesInJson(inBrackets)(path);
    return { message: `: ${message}`, range: place && withoutBracket(place), inner: { issue, data, schema: plugins } };
  }
  const message = jsonProblem(value);
  return message === undefined ? undefined : { message };
}

/** The brackets around the text are ours. */
const withoutBracket = ([start, end]: TextRange): TextRange => [start - 1, end - 1];

/** CNI plugins to chain after the main one: text without brackets as the operator takes it, a list, or one object. */
export const metaPlugins = z
  .union([text, plugins, plugin])
  .optional()
  .describe(
    'CNI plugins that run after the main one, such as `tuning` or `rdma`: JSON objects as text, with commas between them and without brackets, or a list of objects. Default: none.',
  );

/** The plugins as data, keys sorted, the order kept. They were checked when the document was read. */
export function metaPluginsData(value: z.output<typeof metaPlugins>): readonly unknown[] {
  if (value === undefined) return [];
  if (typeof value === 'string') return (JSON.parse(`[${value}]`) as readonly unknown[]).map(sortKeys);
  return (Array.isArray(value) ? value : [value]).map(sortKeys);
}
