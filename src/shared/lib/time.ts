/** A time in ISO 8601 and UTC, to the second: `2026-12-04T22:00:00Z`. A `Time` of the Kubernetes API is written so. */
export function isoSecond(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
