/**
 * Message bus: in process, or over NATS when `YUNXUN_BUS_URL` is set. `contract.ts` tests both.
 *
 * Messages are JSON of at most `maxMessageBytes`; each receiver gets a copy. Subjects are dot-separated tokens; in a
 * subscription `*` matches one token and a last `>` one or more. Messages are not stored.
 */
export interface Bus {
  /** @throws MessageTooLarge, BusClosed */
  publish(subject: string, message: unknown): void;
  /** Returns the unsubscribe function. The messages of one publisher arrive in order. */
  subscribe(subject: string, handler: (message: unknown, subject: string) => void): () => void;
  /** @throws NoResponder or BusAway at once; BusTimeout; RemoteError when the responder threw; MessageTooLarge */
  request(subject: string, message: unknown, timeoutMs: number): Promise<unknown>;
  /** Returns the function that ends it. The caller receives the handler's errors as RemoteError. */
  respond(subject: string, handler: (message: unknown) => Promise<unknown>): () => void;
  /** @throws BusAway */
  check(): Promise<void>;
  /** Fails pending requests with BusClosed. */
  close(): Promise<void>;
}

/** The default limit of a NATS server. */
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
