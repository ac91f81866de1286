import { within, type Rule } from '../../../model/config.js';
import { attachmentsOf, type Attachment } from './attachments.js';

/** Duplicate documents are reported elsewhere. */
function isSameDocument(a: Attachment, b: Attachment): boolean {
  return a.kind === b.kind && a.ownNamespace === b.ownNamespace;
}

/** Networks of all kinds become NetworkAttachmentDefinitions, so their names must be unique in a namespace. */
export const networkNames: Rule = {
  code: 'WEFT0239',
  severity: 'error',
  title: 'two networks become one NetworkAttachmentDefinition',
  *check(config) {
    const first = new Map<string, Attachment>();
    for (const network of attachmentsOf(config)) {
      const { kind, name, namespace, origin } = network;
      const known = first.get(`${namespace}/${name}`);
      if (!known) {
        first.set(`${namespace}/${name}`, network);
        continue;
      }
      if (isSameDocument(known, network)) continue;
      const both = kind === known.kind ? `two ${kind}s` : `${kind} and ${known.kind}`;
      const isDefinition = [kind, known.kind].includes('NetworkAttachmentDefinition');
      yield {
        origin: within(origin, 'metadata', 'name'),
        message: `${both} \`${name}\` both become a network of that name in namespace \`${namespace}\``,
        help: `give one of them another name, or another ${isDefinition ? 'namespace' : '`networkNamespace`'}`,
        related: { origin: within(known.origin, 'metadata', 'name'), message: `the ${known.kind} is here` },
      };
    }
  },
};
