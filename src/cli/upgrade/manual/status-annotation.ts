import { noAnswer, Refusal, valueOf } from '../../../cluster/reader/answers.js';
import type { StatusObject } from '../../../companion/runtime/ports.js';
import type { Connection } from '../connect.js';

const ATTEMPTS = 5;

/**
 * Sets an annotation of the status ConfigMap, by which a person controls the companion.
 *
 * @param valueOfNext the value from the one before; undefined: none
 * @returns whether it had to be changed
 */
export async function setStatusAnnotation(
  { port }: Pick<Connection, 'port'>,
  key: string,
  valueOfNext: (before: string | undefined) => string | undefined,
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const status = await readOrCreate(port, valueOfNext(undefined) !== undefined);
    if (status === undefined) return false;
    const { [key]: before, ...others } = status.annotations;
    const next = valueOfNext(before);
    if (next === before) return false;
    const annotations = next === undefined ? others : { ...others, [key]: next };
    const answer = await port.updateStatus({ ...status, annotations });
    if (answer.kind === 'ok') return true;
    // A running companion writes its status there.
    if (answer.kind !== 'conflict' || attempt === ATTEMPTS) throw new Refusal(noAnswer(answer));
  }
}

/** The companion creates the ConfigMap; an annotation before its first run creates it too. */
async function readOrCreate(port: Connection['port'], isCreated: boolean): Promise<StatusObject | undefined> {
  const answer = await port.readStatus();
  if (answer.kind !== 'gone') return valueOf(answer);
  return isCreated ? valueOf(await port.createStatus({})) : undefined;
}
