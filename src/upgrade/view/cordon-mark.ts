/**
 * The mark that the companion leaves with its cordon: `true`, and once the node lifecycle controller has dated the cordon, the time
 * of the taint `node.kubernetes.io/unschedulable` (`pkg/util/node`, SwapNodeControllerTaint, sets `timeAdded`). A cordon that was
 * lifted and set again has another time.
 */
export function isCordonMark(value: string | undefined): boolean {
  return value === 'true' || (value !== undefined && !Number.isNaN(Date.parse(value)));
}

/**
 * The mark names another cordon than the one that was dated so. Where marks have times, a cordon without one was set just now, because
 * the controller has not dated it yet.
 */
export function marksOtherCordon(mark: string | undefined, cordonTime: string | undefined): boolean {
  return isCordonMark(mark) && mark !== 'true' && mark !== cordonTime;
}
