/**
 * The annotation that the companion sets with its cordon: `true`, and as soon as the node lifecycle controller has dated the cordon,
 * the time of the taint `node.kubernetes.io/unschedulable` (`pkg/util/node`, SwapNodeControllerTaint, sets `timeAdded`). A cordon that
 * was lifted and set again has another time.
 */
export function isCordonMark(value: string | undefined): boolean {
  return value === 'true' || (value !== undefined && !Number.isNaN(Date.parse(value)));
}

/**
 * Whether the annotation belongs to another cordon than the one with this time. If the annotation has a time, a cordon without one is
 * newer, because the controller has not dated it yet.
 */
export function marksOtherCordon(mark: string | undefined, cordonTime: string | undefined): boolean {
  return isCordonMark(mark) && mark !== 'true' && mark !== cordonTime;
}
