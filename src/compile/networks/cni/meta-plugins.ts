import * as z from 'zod';
import type { TextRange } from '../../../shared/diagnostics/diagnostic.js';
import { addProblem, notRead, parseJson, type TextProblem } from '../../model/shapes/json-text.js';
import { isObject, sortKeys } from '../../../shared/lib/json.js';
import { dataProblem } from './data-problem.js';

const plugin = z
  .looseObject({ type: z.string().min(1).describe('CNI plugin.') })
  .describe('Configuration of a CNI plugin.');
const plugins = z.array(plugin).describe('Configurations of CNI plugins, in the order in which they run.');

/** The text in the operator's form: comma-separated JSON objects without brackets around them. */
const text = z.string().superRefine((value, context) => {
  const problem = listProblem(`[${value}]`);
  if (problem !== undefined) addProblem(context, { ...problem, range: problem.range && withoutBracket(problem.range) });
});

/** The brackets around the text are added here. */
const withoutBracket = ([start, end]: TextRange): TextRange => [start - 1, end - 1];

function listProblem(inBrackets: string): TextProblem | undefined {
  const parsed = parseJson(inBrackets);
  if ('error' in parsed) {
    const isAtEnd = parsed.range[0] >= inBrackets.length - 1;
    const error = isAtEnd ? 'it ends where more should be' : parsed.error;
    return notRead('is not a sequence of JSON objects', { ...parsed, error });
  }
  const data = parsed.value as readonly unknown[];
  if (!data.every(isObject))
    return { message: 'must be JSON objects with commas between them, and no brackets around them' };
  return dataProblem(inBrackets, data, plugins);
}

/** CNI plugins to chain after the main one: text without brackets as in the operator, a list, or one object. */
export const metaPlugins = z
  .union([text, plugins, plugin])
  .optional()
  .describe(
    'CNI plugins that run after the main one, such as `tuning` or `rdma`: JSON objects as text, with commas between them and without brackets, or a list of objects. Since release v26.10. Default: none.',
  );

/** The plugins as data, keys sorted, the order kept. They were checked when the document was read. */
export function metaPluginsData(value: z.output<typeof metaPlugins>): readonly unknown[] {
  if (value === undefined) return [];
  if (typeof value === 'string') return (JSON.parse(`[${value}]`) as readonly unknown[]).map(sortKeys);
  return (Array.isArray(value) ? value : [value]).map(sortKeys);
}
