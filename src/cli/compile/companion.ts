import type { Companion } from '../../compile/constructs/cluster-objects.js';
import { needsCompanion } from '../../compile/delivery/drivers.js';
import type { Config } from '../../compile/model/config.js';
import type { Io } from '../io.js';

/** Loads the code that renders the companion's objects, if the configuration needs them. */
export async function companionFor(
  config: Config,
  { readCompanionProgram }: Pick<Io, 'readCompanionProgram'>,
): Promise<Companion | undefined> {
  if (!needsCompanion(config)) return undefined;
  const { companionObjects } = await import('../../compile/delivery/companion.js');
  return (of, objects) => companionObjects(of, objects, readCompanionProgram);
}
