import type { PathStep } from '../../../../shared/diagnostics/diagnostic.js';
import { isObject } from '../../../../shared/lib/json.js';
import { parseJson } from '../../../model/shapes/json-text.js';
import { within, type Rule } from '../../../model/config.js';
import { attachmentsOf, type Attachment } from '../networks/attachments.js';

/** What a text must be, and how it is read. */
interface TextForm {
  readonly what: string;
  readonly isIt: (value: unknown) => boolean;
  /** Characters that the operator puts around the text. */
  readonly around: readonly [before: string, after: string];
}

const OBJECT: TextForm = { what: 'a JSON object', isIt: isObject, around: ['', ''] };
const OBJECTS: TextForm = {
  what: 'JSON objects with commas between them',
  isIt: (value) => Array.isArray(value) && value.every(isObject),
  around: ['[', ']'],
};

/** Texts that become parts of a CNI configuration, by field of `spec`. The texts of the networks of Weft have schemas. */
function textsOf({ kind, ipamField }: Attachment): Readonly<Record<string, TextForm>> {
  if (ipamField === 'config') return { config: OBJECT };
  if (['SriovNetwork', 'SriovIBNetwork', 'OVSNetwork'].includes(kind)) {
    return { ipam: OBJECT, capabilities: OBJECT, metaPlugins: OBJECTS };
  }
  return {};
}

/**
 * The SR-IOV operator puts these texts into a CNI configuration as they are. If that is no JSON, Multus cannot read it, and pods stay
 * in ContainerCreating.
 */
export const networkTextsJson: Rule = {
  code: 'WEFT0321',
  severity: 'error',
  title: 'a part of a CNI configuration is not valid JSON',
  checks: [
    {
      program: 'Multus',
      source: 'multus-cni v4.2.3, pkg/types/conf.go; sriov-network-operator v1.6.0, bindata/manifests/cni-config',
      what: 'the JSON of `config`, and of `ipam`, `capabilities` and `metaPlugins` of the SR-IOV operator',
    },
  ],
  *check(config) {
    for (const network of attachmentsOf(config)) {
      for (const [field, form] of Object.entries(textsOf(network))) {
        const text = network.spec[field];
        if (typeof text !== 'string' || text.trim() === '') continue;
        const problem = problemOf(text, form);
        if (!problem) continue;
        const path: readonly PathStep[] = ['spec', field];
        yield {
          origin: within(network.origin, ...path),
          ...(problem.at && { at: problem.at }),
          message: `\`spec.${field}\` of ${network.kind} \`${network.name}\` must be ${form.what}${problem.why}`,
          help: problem.help,
        };
      }
    }
  },
};

interface Problem {
  readonly at?: readonly [number, number];
  readonly why: string;
  readonly help: string;
}

function problemOf(text: string, { around: [before, after], what, isIt }: TextForm): Problem | undefined {
  const parsed = parseJson(`${before}${text}${after}`);
  if ('value' in parsed) return isIt(parsed.value) ? undefined : { why: '', help: `write ${what}` };
  const start = Math.min(parsed.range[0] - before.length, text.length - 1);
  const isAtEnd = start >= text.trimEnd().length - 1;
  const help = /,\s*[}\]]|,\s*$/.test(text) ? 'remove the comma that nothing follows' : `write ${what}`;
  return {
    at: [start, start + 1],
    why: isAtEnd && after !== '' ? ': it ends where more should be' : `: ${parsed.error}`,
    help,
  };
}
