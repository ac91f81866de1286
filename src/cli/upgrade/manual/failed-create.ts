import { textAt } from '../../../shared/lib/json.js';
import { isoSecond } from '../../../shared/lib/time.js';
import { read } from '../../../cluster/reader/read.js';
import type { Connection } from '../connect.js';

/** Reason of the Event that the DaemonSet controller writes when the API server refuses a pod: Kubernetes `pkg/controller`, FailedCreatePodReason. */
const REASON = 'FailedCreate';

/** Kubernetes `plugin/pkg/admission/resourcequota`, `CheckRequest`: its configuration limits a priority class to namespaces with a quota for it. */
const QUOTA_MISSING = 'insufficient quota to match these scopes';

/** What the API server said when it last refused a pod of a DaemonSet; empty where it did not, or where Events may not be listed. */
export async function failedCreates(
  { client }: Connection,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<readonly string[]> {
  const fields = `involvedObject.kind=DaemonSet,involvedObject.name=${name},reason=${REASON}`;
  const options = { without: ['forbidden', 'unavailable'] } as const;
  const { items } = await read(client, [{ kind: 'Event', namespace, fields }], options, (event) => {
    const timeMs = Date.parse(textAt(event, 'lastTimestamp') ?? textAt(event, 'eventTime') ?? '');
    const isMeant = event['reason'] === REASON && textAt(event, 'involvedObject', 'name') === name;
    return isMeant && !Number.isNaN(timeMs) ? { timeMs, message: textAt(event, 'message') ?? '' } : undefined;
  });
  const [last] = [...items].sort((a, b) => b.timeMs - a.timeMs);
  if (last === undefined) return [];
  const said = `DaemonSet ${namespace}/${name} could not create a pod at ${isoSecond(last.timeMs)}: ${last.message}`;
  return [last.message.includes(QUOTA_MISSING) ? `${said}; GKE needs a ResourceQuota, see WEFT0349` : said];
}
