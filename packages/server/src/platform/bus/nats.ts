import { connect, type NatsConnection, NoRespondersError, RequestError, TimeoutError } from '@nats-io/transport-node';
import { type Bus, BusClosed, BusTimeout, NoResponder } from './index.ts';
import { checkSubject } from './subjects.ts';
import { decodeAnswer, encode, encodeAnswer } from './wire.ts';

export interface NatsOptions {
  /** `nats://user:password@host:4222`, or several with commas between. */
  url: string;
  /** Hears what a subscriber throws. */
  failed: (error: unknown, subject: string) => void;
  /** Hears of the connection: lost, back again. */
  status?: (what: string) => void;
}

/**
 * The bus over NATS: the same promises as in one process. While the server is away, publishing waits in memory and
 * requests time out; the connection comes back by itself.
 * @throws an error whose message is a sentence when no server answers at the start
 */
export async function connectNats(options: NatsOptions): Promise<Bus> {
  const connection = await open(options.url);
  void watch(connection, options.status);
  let closed = false;

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
      // what has been asked already is still answered
      return () => {
        subscription.drain().catch((error: unknown) => {
          // a closed connection has ended it already
          if (!closed) options.failed(error, subject);
        });
      };
    },

    async close() {
      closed = true;
      await connection.close();
    },
  };
}

async function open(url: string): Promise<NatsConnection> {
  const servers = url.split(',').map((one) => new URL(one.trim()));
  const first = servers[0]!;
  try {
    return await connect({
      servers: servers.map((server) => server.host),
      ...(first.username && {
        user: decodeURIComponent(first.username),
        pass: decodeURIComponent(first.password),
      }),
      ...(first.protocol === 'tls:' && { tls: {} }),
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

async function watch(connection: NatsConnection, status: NatsOptions['status']): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === 'disconnect' || type === 'reconnect') status?.(type);
  }
}
