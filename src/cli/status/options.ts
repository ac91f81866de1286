export interface StatusOptions {
  readonly context?: string;
  readonly kubectl?: string;
  /** Of the components, where no documents say it. */
  readonly namespace?: string;
  readonly output?: 'json' | 'yaml';
  readonly watch?: boolean;
}
