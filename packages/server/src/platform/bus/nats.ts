import { connect, type NatsConnection, NoRespondersError, RequestError, TimeoutError } from '@nats-io/transport-node';
import { type Bus, BusAway, BusClosed, BusTimeout, NoResponder } from './bus.ts';
import { checkSubject } from './subjects.ts';
import { decodeAnswer, encode, encodeAnswer } from './wire.ts';

export interface NatsOptions {
  /** `nats://user:password@host:4222`, or several by commas. */
  url: string;
  /** PEM; null: the system's store. */
  ca?: string | null;
  failed: (error: unknown, subject: string) => void;
  status?: (what: string) => void;
}

/**
 * Reconnects; meanwhile buffers publications and fails requests with BusAway.
 * @throws an error with a sentence if no server answers at the start
 */
export async function connectNats(options: NatsOptions): Promise<Bus> {
  const connection = await open(options.url, options.ca ?? null);
  let closed = false;
  let away = false;
  const awayHandlers = new Set<() => void>();
  void watch(connection, (what) => {
    away = what === 'disconnect';
    // once more when it is back: what was subscribed meanwhile heard nothing either
    for (const handler of awayHandlers) handler();
    options.status?.(what);
  });

  const alive = () => {
    if (closed) throw new BusClosed();
  };

  return {
    publish(subject, message) {
      alive();
      checkSubject(subject, false);
      connection.publish(subject, encode(message));
    },

    subscribe(subject, handler) {
      alive();
      checkSubject(subject, true);
      const subscription = connection.subscribe(subject, {
        callback: (error, message) => {
          if (error) return options.failed(error, subject);
          try {
            handler(message.json(), message.subject);
          } catch (thrown) {
            options.failed(thrown, message.subject);
          }
        },
      });
      return () => subscription.unsubscribe();
    },

    async request(subject, message, timeoutMs) {
      alive();
      checkSubject(subject, false);
      const text = encode(message);
      // the client would buffer it
      if (away) throw new BusAway();
      let answer: string;
      try {
        answer = (await connection.request(subject, text, { timeout: timeoutMs })).string();
      } catch (error) {
        if (closed) throw new BusClosed();
        if (error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders())) {
          throw new NoResponder(subject);
        }
        if (error instanceof TimeoutError || (error as Error).cause instanceof TimeoutError)
          throw new BusTimeout(subject, timeoutMs);
        throw error;
      }
      return decodeAnswer(answer);
    },

    respond(subject, handler) {
      alive();
      checkSubject(subject, false);
      const subscription = connection.subscribe(subject, {
        callback: (error, message) => {
          if (error) return options.failed(error, subject);
          void encodeAnswer(handler, message.json()).then((answer) => {
            if (!connection.isClosed()) message.respond(answer);
          });
        },
      });
      return () => {
        subscription.drain().catch((error: unknown) => {
          if (!closed) options.failed(error, subject);
        });
      };
    },

    async check() {
      alive();
      if (away) throw new BusAway();
    },

    onAway(handler) {
      awayHandlers.add(handler);
      return () => awayHandlers.delete(handler);
    },

    async close() {
      closed = true;
      await connection.close();
    },
  };
}

async function open(url: string, ca: string | null): Promise<NatsConnection> {
  const servers = url.split(',').map((one) => new URL(one.trim()));
  const first = servers[0]!;
  try {
    return await connect({
      servers: servers.map((server) => server.host),
      ...(first.username && {
        user: decodeURIComponent(first.username),
        pass: decodeURIComponent(first.password),
      }),
      ...(first.protocol === 'tls:' && { tls: ca === null ? {} : { ca } }),
      name: 'yunxun',
      maxReconnectAttempts: -1,
      reconnectTimeWait: 500,
      reconnectJitter: 500,
      timeout: 5000,
    });
  } catch (error) {
    throw new Error(`No message server answers at ${first.host} (YUNXUN_BUS_URL): ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

async function watch(connection: NatsConnection, status: (what: string) => void): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === 'disconnect' || type === 'reconnect') status(type);
  }
}
