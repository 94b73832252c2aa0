import type { FastifyInstance } from 'fastify';
import type { Bus } from '../bus/index.ts';
import { callerOf, type HttpOptions, identify } from '../http/server.ts';

/** Milliseconds between two comment lines, which keep proxies from closing the stream and re-check the session. */
const beatMs = 4000;

/**
 * Server-sent events at `/api/v3/live`: small facts of the account to its open pages (WHATWG HTML, section 9.2).
 * Read by streaming fetch with the bearer; a session that has ended closes its streams within one beat.
 */
export function mountLive(app: FastifyInstance, options: HttpOptions, bus: Bus): void {
  app.get('/api/v3/live', async (request, reply) => {
    const caller = callerOf(request);
    const identity = await identify(options, request, caller);
    if (!identity) return reply.status(401).send({ code: 401, message: '', data: null });
    const { accountId } = identity.actor;
    const gwids = identity.actor.role ? null : (identity.actor.grant?.gwids ?? null);
    reply.hijack();
    const stream = reply.raw;
    stream.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    stream.write('retry: 2000\n\n');
    const stop = bus.subscribe(`live.${accountId}`, (fact) => {
      const { gwid } = fact as { gwid?: string | null };
      if (gwids && gwid && !gwids.includes(gwid)) return;
      stream.write(`data: ${JSON.stringify(fact)}\n\n`);
    });
    const beat = setInterval(async () => {
      const still = await identify(options, request, caller).catch(() => null);
      if (still) stream.write(': beat\n\n');
      else stream.end();
    }, beatMs);
    stream.on('close', () => {
      clearInterval(beat);
      stop();
    });
  });
}
