import { malformedField, namedObject, type NamedObject } from '../listed-object.js';
import { isNamesake, isShaped, shapeProblem, withoutNulls } from './read.js';

/** Fields without which nothing is known of an object; the empty path is that of the object itself. */
const NAMES = ['', 'apiVersion', 'kind', 'metadata', 'metadata.name'];

/**
 * An object that a file or standard input has, or what is wrong with it. Of the kinds whose fields are read, each field has the type that the API
 * has. Undefined for an object that only has the name of such a kind.
 *
 * @param position from 1 on
 */
export function readObjectOfFile(
  value: unknown,
  position: number,
): { readonly object: NamedObject } | { readonly problem: string } | undefined {
  const named = namedObject(value);
  if (named === undefined) {
    const path = malformedField(value).join('.');
    return NAMES.includes(path)
      ? { problem: `object ${position} lacks \`apiVersion\`, \`kind\` or \`metadata.name\`` }
      : { problem: `\`${path}\` of object ${position} is not as the API server has it` };
  }
  if (isNamesake(named)) return undefined;
  // A null in a custom resource may mean something.
  const object = isShaped(named) ? withoutNulls(named) : named;
  const problem = shapeProblem(object);
  return problem === undefined ? { object } : { problem };
}
