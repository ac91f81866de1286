import type * as z from 'zod';
import { suggest } from '../../shared/diagnostics/suggest.js';
import type { PathStep } from '../../shared/diagnostics/diagnostic.js';
import { within, type Instance, type Rule, type Violation } from '../model/config.js';
import { describeIssue, meantIssues, noSuchKey } from '../model/issues.js';
import { jsonData } from '../model/shapes/json-text.js';
import { placesIn } from '../model/text-place.js';

/**
 * The prefix of a resource's name by the webhook of the operator (network-operator b06827e0,
 * api/v1alpha1/validator/nicpolicy_webhook.go `fqdnRegex`).
 */
export const WEBHOOK_PREFIX = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z]{2,})+$/;

/** Configurations of a device plugin that the webhook checks. */
interface Admitted {
  readonly componentId: string;
  /** What the webhook takes; made when the first configuration is checked. */
  readonly schema: () => z.ZodType;
  /** Keys that selectors of the program have: one that is almost such a key is reported as misspelt. */
  readonly selectors: readonly string[];
}

/**
 * The admission webhook of the operator is off by default (its chart's `operator.admissionController.enabled`), and other than the
 * device plugins: what it refuses and they take is worth a warning only.
 */
export function configAdmitted(admitted: Admitted): Rule {
  return {
    code: 'WEFT0310',
    severity: 'warning',
    title: 'the webhook of the operator refuses what its programs take',
    checks: [
      {
        program: 'admission webhook of the operator',
        source: 'network-operator b06827e0, api/v1alpha1/validator/nicpolicy_webhook.go and webhook-schemas',
        what: 'names, prefixes and selectors of device plugins that it refuses, where the plugin takes them',
      },
    ],
    *check({ instances }) {
      for (const instance of instances.get(admitted.componentId) ?? []) yield* refused(instance, admitted);
    },
  };
}

function* refused({ spec, origin }: Instance, { schema, selectors }: Admitted): Iterable<Violation> {
  const { config } = spec as { readonly config?: unknown };
  const data = jsonData(config);
  if (data === undefined) return;
  const placeOf = placesIn(config, within(origin, 'config'));
  const issues = schema().safeParse(data).error?.issues ?? [];
  for (const issue of issues.flatMap((one) => meantIssues(one, data))) {
    for (const { path, fact } of factsOf(issue, data, selectors)) {
      yield {
        ...placeOf(path),
        message: `the admission webhook of the operator refuses this, and the device plugin takes it: ${fact}`,
        help: 'the webhook is off by default; if it is off in your cluster, write `# weft-ignore WEFT0310: reason` above it',
      };
    }
  }
}

interface Fact {
  readonly path: readonly PathStep[];
  readonly fact: string;
}

function factsOf(issue: z.core.$ZodIssue, data: unknown, selectors: readonly string[]): readonly Fact[] {
  const path = issue.path as readonly PathStep[];
  if (issue.code !== 'unrecognized_keys') return [{ path, fact: describeIssue(issue, data).message }];
  return issue.keys
    .filter((key) => suggest(key, selectors) === undefined)
    .map((key) => ({ path: [...path, key], fact: noSuchKey(path, key) }));
}
