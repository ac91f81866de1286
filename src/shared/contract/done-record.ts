/** What the annotation `done` of a node says of its last finished upgrade. */
interface DoneRecord {
  /** Name of the rollout: a hash of the digests of the policy. */
  readonly rollout: string;
  readonly doneMs: number;
}

/** The text of the annotation, with whole seconds. */
export function doneText(rollout: string, nowMs: number): string {
  return `${rollout} ${Math.floor(nowMs / 1000)}`;
}

/** Reads the annotation; undefined: the node has none, or another program wrote it. */
export function readDone(text: string | undefined): DoneRecord | undefined {
  const [, rollout = '', seconds = ''] = /^(\S*) (\d{1,12})$/.exec(text ?? '') ?? [];
  return seconds === '' ? undefined : { rollout, doneMs: Number(seconds) * 1000 };
}
