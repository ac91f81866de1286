/** The result of one request. */
export type Answer<Value> =
  | { readonly kind: 'ok'; readonly value: Value }
  /** 409: the precondition (resourceVersion, UID) does not hold, or an object to create exists. */
  | { readonly kind: 'conflict'; readonly message: string }
  /** 404. */
  | { readonly kind: 'gone'; readonly message: string }
  /** 410: the resourceVersion to watch from is too old. Only watches answer so. */
  | { readonly kind: 'expired'; readonly message: string }
  /** 429, 5xx, a time-out, a broken connection: a write may or may not have taken effect. */
  | {
      readonly kind: 'retry';
      readonly message: string;
      readonly retryAfterSeconds?: number;
      /** The whole answer did not arrive in time. Default: false. */
      readonly isLate?: true;
    }
  /** 401, and 403 of the API server's authorizer: a right is missing. The message names it. */
  | { readonly kind: 'forbidden'; readonly message: string }
  /** A list that goes on after the most pages or bytes that a cluster can have. */
  | { readonly kind: 'endless'; readonly message: string }
  /** Anything else, with the server's message: 400, 422, 403 of an admission webhook. Nothing was written. */
  | { readonly kind: 'error'; readonly status?: number; readonly message: string };

/** A complete list: the implementation follows `continue` tokens. */
export interface Listed<Item> {
  readonly items: readonly Item[];
  readonly resourceVersion: string;
}

export type WatchEvent<Item> =
  /** ADDED and MODIFIED. */
  | { readonly kind: 'put'; readonly item: Item; readonly resourceVersion: string }
  /** DELETED, with the last state of the object. */
  | { readonly kind: 'removed'; readonly item: Item; readonly resourceVersion: string }
  | { readonly kind: 'bookmark'; readonly resourceVersion: string }
  /** The watch is over; no event follows. `ok`: the server closed it as it does from time to time. */
  | { readonly kind: 'end'; readonly answer: Answer<undefined> };

/** Ends a watch or a timer. Nothing is reported after it. */
export type Stop = () => void;
