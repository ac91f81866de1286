/** `1h12m`, `4m`, `30s`. */
export function spanText(seconds: number): string {
  const rounded = seconds < 600 ? Math.round(seconds) : Math.round(seconds / 60) * 60;
  const [hours, minutes, rest] = [Math.floor(rounded / 3600), Math.floor((rounded % 3600) / 60), rounded % 60];
  const parts = [hours > 0 && `${hours}h`, minutes > 0 && `${minutes}m`, rest > 0 && `${rest}s`].filter(Boolean);
  return parts.length === 0 ? '0s' : parts.join('');
}

/** A time as `2026-12-04 22:00Z`. */
export function timeText(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')}Z`;
}
