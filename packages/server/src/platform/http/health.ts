import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { tokenHash } from '../crypto/index.ts';
import type { Metrics } from '../metrics.ts';

/** Rejects with a sentence while not ready. */
export type Readiness = Readonly<Record<string, () => Promise<void>>>;

export interface HealthOptions {
  readiness: Readiness;
  metrics: Metrics;
  metricsToken: string | null;
  limitFactor: number;
}

/** `/metrics` and details of `/readyz` need loopback or the token. */
export function mountHealth(app: FastifyInstance, options: HealthOptions): void {
  const { readiness, metrics, metricsToken, limitFactor } = options;
  app.get('/healthz', async () => ({ status: 'alive' }));
  // unauthenticated, with a query
  const rateLimit = { max: 600 * limitFactor, timeWindow: 60_000 };
  app.get('/readyz', { config: { rateLimit } }, async (request, reply) => {
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
    const details = isOperator(request, metricsToken) ? { parts: Object.fromEntries(parts) } : {};
    return reply.status(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', ...details });
  });
  app.get('/metrics', { config: { rateLimit } }, async (request, reply) => {
    if (!isOperator(request, metricsToken)) return reply.status(404).send();
    return reply.type(metrics.contentType).send(await metrics.metrics());
  });
}

/** With these, loopback requests may come from anywhere. */
const proxyHeaders = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];

function isOperator({ headers, socket }: FastifyRequest, metricsToken: string | null): boolean {
  const bearer = /^bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
  if (metricsToken !== null && bearer !== undefined) {
    // hashed: timingSafeEqual needs equal lengths
    return timingSafeEqual(tokenHash(bearer.trim()), tokenHash(metricsToken));
  }
  return isLoopback(socket.remoteAddress ?? '') && proxyHeaders.every((name) => headers[name] === undefined);
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}
