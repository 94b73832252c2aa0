/**
 * An unbound device learns of it by `edgeUnboundMethod` before its session ends, then by `unboundStatus`, as answer to
 * an upgrade and to `edgeReachPath`. TLS with the authority of the enrolment makes both reliable. An unknown device
 * gets 403.
 */

/** Notification. */
export const edgeUnboundMethod = 'yunxun.unbound';
/** Notification with `EdgeBoundParams` to a device whose capabilities say `quiet`. */
export const edgeBoundMethod = 'yunxun.bound';
/** HTTP. */
export const unboundStatus = 410;

/** `same`: the account that unbound it, or no account is known to have done so. */
export interface EdgeBoundParams {
  serial: string;
  same: boolean;
}

/** Milliseconds. */
export const unboundTimes = {
  /** Until the agent removes what the console had added. */
  window: 30 * 60_000,
  /** A longer gap between two answers starts the window again. */
  gap: 5 * 60_000,
  /** Longest waits between connections within the window, and afterwards. */
  retry: 60_000,
  quietRetry: 60 * 60_000,
} as const;
