import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { edgeSpeedLimits } from '@yunxun/contract/device';
import type { FastifyInstance } from 'fastify';

export type SpeedWay = 'down' | 'up';

export interface SpeedTestOptions {
  path: string;
  /** Consumes a direction; null if invalid, expired or used. */
  claim(token: string, way: SpeedWay): Promise<{ accountId: string } | null>;
  limitFactor: number;
  limits?: { seconds: number; bytes: number };
}

/** Per process: a test may use the whole uplink. */
const atOnce = 4;
const grace = 5;
/** Random: nothing may compress it. */
const chunk = randomBytes(64 * 1024);

/** Sends on `GET`, counts on `POST`. The token authenticates, once per direction. */
export function mountSpeedTests(
  app: FastifyInstance,
  { path, claim, limitFactor, limits = edgeSpeedLimits }: SpeedTestOptions,
): void {
  const running = new Map<string, number>();
  const total = () => [...running.values()].reduce((sum, one) => sum + one, 0);
  const config = { rateLimit: { max: 30 * limitFactor, timeWindow: 60_000 } };

  async function begin(token: string, way: SpeedWay): Promise<{ end(): void } | 'unknown' | 'busy'> {
    if (total() >= atOnce) return 'busy';
    // before the claim: a busy answer consumes no token
    const accountId = token.split('.')[0] ?? '';
    if ((running.get(accountId) ?? 0) > 0) return 'busy';
    running.set(accountId, 1);
    const end = () => void running.delete(accountId);
    const open = await claim(token, way).catch((error: unknown) => {
      end();
      throw error;
    });
    if (open) return { end };
    end();
    return 'unknown';
  }

  app.register(async (own) => {
    own.addContentTypeParser('application/octet-stream', (_request, _payload, done) => done(null));

    own.get<{ Params: { token: string } }>(`${path}:token`, { config }, async (request, reply) => {
      const test = await begin(request.params.token, 'down');
      if (test === 'busy') return reply.status(503).header('retry-after', '10').send({ error: 'busy' });
      if (test === 'unknown') return reply.status(404).send({ error: 'unknown address' });
      reply.raw.once('close', test.end);
      const over = performance.now() + limits.seconds * 1000;
      return reply
        .header('content-type', 'application/octet-stream')
        .header('cache-control', 'no-store')
        .send(
          Readable.from(
            chunks(limits.bytes, () => performance.now() < over),
            { objectMode: false },
          ),
        );
    });

    own.post<{ Params: { token: string } }>(`${path}:token`, { config }, async (request, reply) => {
      const test = await begin(request.params.token, 'up');
      if (test === 'busy') return reply.status(503).header('retry-after', '10').send({ error: 'busy' });
      if (test === 'unknown') return reply.status(404).send({ error: 'unknown address' });
      try {
        const over = performance.now() + (limits.seconds + grace) * 1000;
        let bytes = 0;
        for await (const part of request.raw as AsyncIterable<Buffer>) {
          bytes += part.length;
          if (bytes > limits.bytes + chunk.length || performance.now() > over)
            return reply.status(413).header('connection', 'close').send({ error: 'too large' });
        }
        return reply.status(200).send({ bytes });
      } finally {
        test.end();
      }
    });
  });
}

function* chunks(bytes: number, goesOn: () => boolean): Generator<Buffer> {
  for (let left = bytes; left > 0 && goesOn(); left -= chunk.length)
    yield chunk.subarray(0, Math.min(left, chunk.length));
}
