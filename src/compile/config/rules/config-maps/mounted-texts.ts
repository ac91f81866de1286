import * as z from 'zod';
import type { AnyComponent, MountedConfigMap } from '../../../components/component.js';
import { within, type Config, type Violation, type Instance } from '../../../model/config.js';
import { describeIssue, inTextOf, meantIssues } from '../../../model/issues.js';
import { inTextHint } from '../../validate/in-text.js';
import { fieldsOf } from '../../validate/schema-walk.js';

/** The ConfigMap that an instance's pods mount and that its component does not make. */
export function mountedBy({ mountsConfigMap }: AnyComponent, instance: Instance): MountedConfigMap | undefined {
  // The component's own schema has made the spec.
  return mountsConfigMap?.(instance);
}

/** Text of the input that replaces a field of a section, and its problems. */
interface MountedText {
  readonly text: string;
  readonly problems: readonly Violation[];
  /** The place of diagnostics about the whole text. */
  readonly origin: Violation['origin'];
}

/** `undefined` if the input does not have the ConfigMap or the key, or the ConfigMap could not be read. */
export function mountedText(
  { schema }: AnyComponent,
  { name, key, field }: MountedConfigMap,
  { configMaps }: Config,
): MountedText | undefined {
  const { document } = configMaps.get(name) ?? {};
  const text = document?.value.data?.[key];
  const fieldSchema = fieldsOf(schema)[field];
  if (!document || text === undefined || !fieldSchema) return undefined;
  const origin = within(document.origin, 'data', key);
  const inDocument = z.object({ data: z.object({ [key]: fieldSchema }) });
  // Empty text in a section means no configuration; a mounted file must not be empty.
  const input = { data: { [key]: text === '' ? ' ' : text } };
  const issues = inDocument.safeParse(input).error?.issues ?? [];
  const problems = issues
    .flatMap((issue) => meantIssues(issue, input))
    .map((issue): Violation => {
      const inText = inTextOf(issue);
      const { range } = inText;
      const { help } = inTextHint(inText, origin.document.file);
      const message = describeIssue(issue, input).message;
      return { origin, message, ...(range !== undefined && { at: range }), ...(help !== undefined && { help }) };
    });
  return { text, problems, origin };
}
