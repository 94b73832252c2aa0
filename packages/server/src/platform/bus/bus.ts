/**
 * In process, or NATS with `YUNXUN_BUS_URL`; `contract.ts` tests both.
 *
 * JSON up to `maxMessageBytes`; each receiver gets a copy. Dot-separated subjects; in a subscription `*` matches one
 * token, a last `>` one or more. Nothing is stored.
 */
export interface Bus {
  /** @throws MessageTooLarge, BusClosed */
  publish(subject: string, message: unknown): void;
  /** Keeps a publisher's order. @returns the unsubscribe function */
  subscribe(subject: string, handler: (message: unknown, subject: string) => void): () => void;
  /** @throws NoResponder or BusAway at once; BusTimeout; RemoteError if the responder threw; MessageTooLarge */
  request(subject: string, message: unknown, timeoutMs: number): Promise<unknown>;
  /** Passes errors to the caller as RemoteError. @returns the end */
  respond(subject: string, handler: (message: unknown) => Promise<unknown>): () => void;
  /** @throws BusAway */
  check(): Promise<void>;
  /** Without the server publications are missed; never called in one process. @returns the unsubscribe function */
  onAway(handler: () => void): () => void;
  close(): Promise<void>;
}

/** NATS' default. */
export const maxMessageBytes = 1024 * 1024;

export class NoResponder extends Error {
  override readonly name = 'NoResponder';

  constructor(readonly subject: string) {
    super(`no responder for ${subject}`);
  }
}

export class BusAway extends Error {
  override readonly name = 'BusAway';

  constructor() {
    super('The message server (YUNXUN_BUS_URL) cannot be reached.');
  }
}

export class BusTimeout extends Error {
  override readonly name = 'BusTimeout';

  constructor(
    readonly subject: string,
    readonly timeoutMs: number,
  ) {
    super(`no answer from ${subject} in ${timeoutMs} ms`);
  }
}

export class RemoteError extends Error {
  override readonly name = 'RemoteError';

  constructor(
    message: string,
    readonly code: string | null,
    readonly data: unknown,
  ) {
    super(message);
  }
}

export class MessageTooLarge extends Error {
  override readonly name = 'MessageTooLarge';

  constructor(readonly bytes: number) {
    super(`a message of ${bytes} bytes is more than the bus carries (${maxMessageBytes})`);
  }
}

export class BusClosed extends Error {
  override readonly name = 'BusClosed';

  constructor() {
    super('the bus is closed');
  }
}
