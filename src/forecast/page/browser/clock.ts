/** How the page writes times. */
export interface Clock {
  /** `2026-12-04 22:00`. */
  readonly full: (ms: number) => string;
  /** `22:00`. */
  readonly short: (ms: number) => string;
  /** With seconds: `22:00:31`. */
  readonly precise: (ms: number) => string;
  /** `4 Dec`. */
  readonly day: (ms: number) => string;
  /** What the clocks show minus UTC. */
  readonly offsetMs: (ms: number) => number;
  /** `UTC`, or the place of the reader. */
  readonly name: string;
}

/** The clocks of UTC, or of the reader. */
export function makeClock(isUtc: boolean): Clock {
  const zone = isUtc ? { timeZone: 'UTC' } : {};
  const parts = new Intl.DateTimeFormat('sv-SE', {
    ...zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const days = new Intl.DateTimeFormat('en-GB', { ...zone, day: 'numeric', month: 'short' });
  const text = (ms: number): string => parts.format(ms);
  return {
    full: (ms) => text(ms).slice(0, 16),
    short: (ms) => text(ms).slice(11, 16),
    precise: (ms) => text(ms).slice(11),
    day: (ms) => days.format(ms),
    offsetMs: (ms) => Date.parse(`${text(ms).replace(' ', 'T')}Z`) - Math.floor(ms / 1000) * 1000,
    name: isUtc ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

/** `1h12m`, `4m`, `30s`. */
export function lengthText(ms: number): string {
  const seconds = ms < 600_000 ? Math.round(ms / 1000) : Math.round(ms / 60_000) * 60;
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  const parts = [
    days > 0 ? `${days}d` : '',
    hours > 0 ? `${hours}h` : '',
    minutes > 0 && days === 0 ? `${minutes}m` : '',
    seconds % 60 > 0 && hours === 0 && days === 0 ? `${seconds % 60}s` : '',
  ].join('');
  return parts === '' ? '0s' : parts;
}
