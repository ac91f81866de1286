import * as z from 'zod';
import { addProblem, notRead, parseJson, type TextProblem } from '../../model/shapes/json-text.js';
import { keysAsRead } from '../../../shared/lib/go-keys.js';
import { isObject, sortKeys } from '../../../shared/lib/json.js';
import { dataProblem } from './data-problem.js';
import { dhcp, hostLocal, nvIpam, staticIpam, whereabouts } from './ipam-types.js';

const known = z.discriminatedUnion('type', [nvIpam, whereabouts, staticIpam, dhcp, hostLocal]);
type KnownIpam = (typeof known.options)[number];
const KNOWN_TYPES = new Map<unknown, KnownIpam>(known.options.map((option) => [option.shape.type.value, option]));

/** Names of the IPAM plugins whose configuration is known here. */
export const KNOWN_IPAM_TYPES: readonly string[] = known.options.map((option) => option.shape.type.value);

/** The schema of a known IPAM plugin, for networks whose documents have none; `undefined` for other plugins. */
export function schemaOfIpam(type: unknown): z.ZodType | undefined {
  return KNOWN_TYPES.get(type);
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The configuration with the keys as its plugin spells them: Go's `encoding/json` reads `Range` as `range`. Where both are there, the
 * other spelling stays.
 */
export function asPluginReads(data: Fields): Fields {
  const withType = keysAsRead(data, ['type']);
  return keysAsRead(withType, Object.keys(KNOWN_TYPES.get(withType['type'])?.shape ?? {}));
}

const none = z.record(z.string(), z.never()).describe('No addresses.');

/**
 * A plugin that is not known here; whatever it is given is passed on. A known type is not refused with an issue about
 * `type`, but as an alternative that is not meant, so that the author hears what is wrong with the known one.
 */
const other = z
  .looseObject({ type: z.string().min(1).describe('IPAM plugin.') })
  .superRefine(({ type }, context) => {
    if (KNOWN_TYPES.has(type))
      context.addIssue({ code: 'invalid_type', expected: 'object', input: type, continue: false });
  })
  .describe('Another IPAM plugin.');

/** JSON text as the operator takes it. Blank text is no IPAM. */
const text = z.string().superRefine((value, context) => {
  const problem = value.trim() === '' ? undefined : textProblem(value);
  if (problem !== undefined) addProblem(context, problem);
});

function textProblem(value: string): TextProblem | undefined {
  const parsed = parseJson(value);
  if ('error' in parsed) return notRead('is not valid JSON', parsed);
  if (!isObject(parsed.value)) return { message: 'must be JSON of one object' };
  const data = asPluginReads(parsed.value);
  const schema = Object.keys(data).length === 0 ? none : (KNOWN_TYPES.get(data['type']) ?? other);
  return dataProblem(value, data, schema);
}

/** How pods get addresses on a network: JSON text or an object. Absent, blank or `{}`: they get none. */
export const ipam = z
  .union([text, other, known, none])
  .optional()
  .describe(
    'How pods get their addresses: configuration of a CNI IPAM plugin, as JSON text or as an object. Default: none.',
  );

/** The IPAM configuration as data, keys sorted. It was checked when the document was read. */
export function ipamData(value: z.output<typeof ipam>): unknown {
  if (typeof value !== 'string') return sortKeys(value ?? {});
  return value.trim() === '' ? {} : sortKeys(JSON.parse(value));
}
