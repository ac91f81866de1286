import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Holds docs/reference/operator-differences.md against what the comparison with the operator's recorded output ignores: each
 * thing that the script leaves out must be a difference that the page lists, and the script must leave out nothing else.
 */
const SCRIPT = join(__dirname, '../../shared/tools/conformance.mjs');
const PAGE = readFileSync(join(__dirname, '../docs/reference/operator-differences.md'), 'utf8');

/** What the script ignores, by the words of its code, and where the page says so. */
const IGNORED: readonly { readonly code: string; readonly page: RegExp }[] = [
  { code: "o.kind === 'Namespace'", page: /the Namespace, with the pod-security labels/ },
  { code: "o.kind === 'CustomResourceDefinition'", page: /the CRDs of components in use with annotations/ },
  { code: "'weft.dev/component'", page: /weft\.dev\/component: companion/ },
  {
    code: 'weft\\.dev|argocd\\.argoproj\\.io|kustomize\\.toolkit\\.fluxcd\\.io',
    page: /annotations of Argo CD, Flux and Helm/,
  },
  { code: 'helm\\.sh\\/resource-policy', page: /annotations of Argo CD, Flux and Helm/ },
  { code: 'delete o.status;', page: /`status`/ },
  { code: "o.metadata.namespace ??= 'default'", page: /a HostDeviceNetwork without `networkNamespace`/ },
  { code: 'o.spec.config = parseJsonText(o.spec.config)', page: /it is built as data, on several lines/ },
  { code: 'o.data[k] = parseJsonText(o.data[k])', page: /text that holds JSON is compared as data/ },
  { code: 'delete pod.securityContext.privileged', page: /`privileged` in the pod's security context/ },
  { code: 'delete pod.affinity.podAntiAffinity', page: /drops the pod anti-affinity of the driver/ },
  { code: 'const isGiven', page: /ConfigMaps of the input/ },
  { code: 'function normalize', page: /Absent, `null`,\s+`\{\}` and `\[\]` count as equal/ },
  { code: 'function withReadyFile', page: /`gate: ready-file` \(default\)/ },
];

/** Statements of `canonical` that take something away, apart from the mark that the gate leaves. */
const REMOVALS = 4;

const isThere = existsSync(SCRIPT);
if (!isThere)
  console.warn(`THE DIFFERENCES FROM THE OPERATOR ARE NOT HELD AGAINST THE COMPARISON: there is no ${SCRIPT}`);

(isThere ? describe : describe.skip)(
  isThere
    ? 'the differences from the operator'
    : 'THE DIFFERENCES FROM THE OPERATOR: NO COMPARISON, NOTHING IS HELD AGAINST IT',
  () => {
    const script = isThere ? readFileSync(SCRIPT, 'utf8') : '';

    it.each(IGNORED)('list what the comparison ignores: $code', ({ code, page }) => {
      expect(script).toContain(code);
      expect(PAGE).toMatch(page);
    });

    it('are all: the comparison takes nothing else away', () => {
      const canonical = /function canonical[\s\S]*?\n}/.exec(script)?.[0] ?? '';
      const removals = canonical.match(/\bdelete (?!o\.gated)/g) ?? [];
      expect(removals.length).toBe(REMOVALS);
    });
  },
);
