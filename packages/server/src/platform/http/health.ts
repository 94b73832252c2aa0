import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics.ts';

/** A thing that must be ready before the program takes work. */
export type Readiness = Readonly<Record<string, () => Promise<void>>>;

/** `/healthz` (alive), `/readyz` (each part asked), `/metrics` (loopback only): of every process, whatever its roles. */
export function mountHealth(app: FastifyInstance, readiness: Readiness, metrics: Metrics, limitFactor: number): void {
  app.get('/healthz', async () => ({ status: 'alive' }));
  // asks the database, for anybody
  const rateLimit = { max: 600 * limitFactor, timeWindow: 60_000 };
  app.get('/readyz', { config: { rateLimit } }, async (_request, reply) => {
    const parts = await Promise.all(
      Object.entries(readiness).map(
        async ([name, ask]) =>
          [
            name,
            await ask().then(
              () => 'ready',
              (error: Error) => error.message,
            ),
          ] as const,
      ),
    );
    const ready = parts.every(([, state]) => state === 'ready');
    return reply
      .status(ready ? 200 : 503)
      .send({ status: ready ? 'ready' : 'not ready', parts: Object.fromEntries(parts) });
  });
  app.get('/metrics', async (request, reply) => {
    if (!isLoopback(request.ip)) return reply.status(404).send();
    return reply.type(metrics.contentType).send(await metrics.metrics());
  });
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}
