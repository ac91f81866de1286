/** `45s`, `12m`, `3h20m`, `4d`, in the format of kubectl. */
export function timeSpan(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours}h${minutes % 60 === 0 ? '' : `${minutes % 60}m`}`;
  return `${Math.floor(hours / 24)}d`;
}
