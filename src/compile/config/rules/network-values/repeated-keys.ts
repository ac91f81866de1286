import type { PathStep } from '../../../../shared/diagnostics/diagnostic.js';
import { isObject } from '../../../../shared/lib/json.js';
import { repeatedKeys } from '../../../load/json/spelling.js';
import { parseJson } from '../../../model/shapes/json-text.js';
import { within, type Config, type Origin, type Rule } from '../../../model/config.js';
import { attachmentsOf } from '../networks/attachments.js';

/** JSON text of a document, and its place. */
interface PlacedText {
  readonly field: string;
  readonly text: string;
  readonly origin: Origin;
  /** What is put around it before it is read. */
  readonly around: readonly [before: string, after: string];
}

const ALONE: PlacedText['around'] = ['', ''];

/** JSON texts of networks, and configurations of the programs of policies. */
function* textsOf(config: Config): Iterable<PlacedText> {
  const textAt = (of: unknown, origin: Origin, field: string, path: readonly PathStep[], around = ALONE) => {
    const text = isObject(of) ? of[field] : undefined;
    return typeof text === 'string' ? [{ field, text, around, origin: within(origin, ...path, field) }] : [];
  };
  for (const { spec, origin } of attachmentsOf(config)) {
    for (const field of ['config', 'ipam', 'capabilities']) yield* textAt(spec, origin, field, ['spec']);
    yield* textAt(spec, origin, 'metaPlugins', ['spec'], ['[', ']']);
  }
  for (const instance of [...config.instances.values()].flat())
    yield* textAt(instance.spec, instance.origin, 'config', []);
}

/**
 * Go's `encoding/json` takes the last one and says nothing, as most readers of JSON. It reads an object into the struct that the first one has
 * filled (decode.go `object`), and those of a list likewise: `selectors` of the RDMA shared device plugin (410b0f3, pkg/types/types.go) are
 * both together, those of the SR-IOV network device plugin (v3.11.0, pkg/types/types.go), a `json.RawMessage`, are the last ones.
 */
export const jsonKeysOnce: Rule = {
  code: 'WEFT0344',
  severity: 'warning',
  title: 'a key is twice in JSON text',
  checks: [
    {
      program: 'Multus',
      source: 'Go 1.26, encoding/json, decode.go `object`',
      what: 'keys of `config`, `ipam`, `capabilities` and `metaPlugins` are there once',
    },
    {
      program: 'RDMA shared device plugin',
      source: 'Go 1.26, encoding/json, decode.go `object`',
      what: 'keys of `config` are there once; so for the SR-IOV network device plugin',
    },
  ],
  *check(config) {
    for (const { field, text, origin, around } of textsOf(config)) {
      const [before, after] = around;
      const whole = `${before}${text}${after}`;
      const parsed = parseJson(whole);
      if ('error' in parsed) continue;
      for (const { key, range, hasObjects } of repeatedKeys(whole, parsed.value)) {
        const [start, end] = range;
        const taken = hasObjects ? 'the last one, or what both have together' : 'the last one';
        yield {
          origin,
          at: [start - before.length, end - before.length],
          message: `\`${field}\` has the key \`${key}\` twice: the program that reads it takes ${taken}`,
          help: 'remove one of them',
        };
      }
    }
  },
};
