/**
 * The message bus between the parts of the program: in one process by default, over NATS when `YUNXUN_BUS_URL` names a
 * server. One contract test (`contract.ts`) holds both. Messages are JSON values of at most `maxMessageBytes`; a
 * receiver gets a copy of its own. Subjects are tokens joined by dots; in a subscription `*` stands for one token and
 * a last `>` for one or more. Nothing is stored: who does not listen misses it.
 */
export interface Bus {
  /** Tells every subscriber; returns at once. @throws MessageTooLarge, BusClosed */
  publish(subject: string, message: unknown): void;
  /** Hears what is published, in the order of each publisher, until the returned function is called. */
  subscribe(subject: string, handler: (message: unknown, subject: string) => void): () => void;
  /**
   * Asks whoever responds and waits for the first answer.
   * @throws NoResponder at once when nobody listens; BusTimeout; RemoteError when the responder threw; MessageTooLarge
   */
  request(subject: string, message: unknown, timeoutMs: number): Promise<unknown>;
  /** Answers requests until the returned function is called. What the handler throws reaches the asker as RemoteError. */
  respond(subject: string, handler: (message: unknown) => Promise<unknown>): () => void;
  /** Ends every subscription; requests under way fail with BusClosed. */
  close(): Promise<void>;
}

/** The largest message, as JSON: the default limit of a NATS server. */
export const maxMessageBytes = 1024 * 1024;

/** Nobody responds to that subject. */
export class NoResponder extends Error {
  override readonly name = 'NoResponder';

  constructor(readonly subject: string) {
    super(`nobody responds to ${subject}`);
  }
}

/** Somebody responds to that subject, but did not in time. */
export class BusTimeout extends Error {
  override readonly name = 'BusTimeout';

  constructor(
    readonly subject: string,
    readonly timeoutMs: number,
  ) {
    super(`no answer from ${subject} in ${timeoutMs} ms`);
  }
}

/** The responder threw. `code` and `data` are those of its error, when it had them. */
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

/** A message is larger than the bus carries. */
export class MessageTooLarge extends Error {
  override readonly name = 'MessageTooLarge';

  constructor(readonly bytes: number) {
    super(`a message of ${bytes} bytes is more than the bus carries (${maxMessageBytes})`);
  }
}

/** The bus was closed. */
export class BusClosed extends Error {
  override readonly name = 'BusClosed';

  constructor() {
    super('the bus is closed');
  }
}

export { createLocalBus } from './local.ts';
export { connectNats } from './nats.ts';
