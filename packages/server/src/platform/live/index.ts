import { allows, limits, networksOf, permissionOfFact, type RightsFact, type StorageFact } from '@yunxun/contract';
import type { FastifyInstance } from 'fastify';
import type { Bus } from '../bus/index.ts';
import { Failure } from '../failure.ts';
import type { Identity } from '../http/call.ts';
import type { HttpOptions } from '../http/http-options.ts';
import { callerOf, identify, refuseUnsigned } from '../http/server.ts';
import type { Storage } from '../storage.ts';
import { changedSubject } from './changed.ts';

export { rightsChanged } from './changed.ts';

/** Milliseconds between heartbeats, which keep proxies from closing the stream and re-check the session. */
const beatMs = 4000;
const streamsPerMinute = 1200;
/** Bytes; beyond it, the stream ends and the page reconnects. */
const maxUnread = 256 * 1024;

/**
 * Serves server-sent events (WHATWG HTML, section 9.2), read by fetch with the bearer. Ends with the session: at once
 * after `rightsChanged`, else within a heartbeat. Counts a session's streams per process.
 */
export function mountLive(
  app: FastifyInstance,
  options: HttpOptions,
  bus: Bus,
  storage: Pick<Storage, 'isFull' | 'onChange'>,
): void {
  const open = new Map<string, number>();
  const rateLimit = { max: streamsPerMinute * options.limitFactor, timeWindow: 60_000 };
  app.get('/api/v3/live', { exposeHeadRoute: false, config: { rateLimit } }, async (request, reply) => {
    const caller = callerOf(request);
    let identity = await identify(options, request, caller);
    if (!identity) return refuseUnsigned('/api/v3/live', caller, reply);
    const stream = reply.raw;
    if (stream.destroyed) return reply.hijack();
    const { sessionId } = identity;
    const limit = limits.streamsPerSession;
    const used = open.get(sessionId) ?? 0;
    if (used >= limit) throw new Failure('limitReached', { data: { limit, used }, params: { limit, used } });
    open.set(sessionId, used + 1);
    stream.on('close', () => {
      const left = open.get(sessionId)! - 1;
      if (left > 0) open.set(sessionId, left);
      else open.delete(sessionId);
    });
    reply.hijack();
    stream.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const say = (text: string) => {
      if (stream.writableLength > maxUnread) stream.destroy();
      else stream.write(text);
    };
    say('retry: 2000\n\n');
    const sayStorage = () => say(`data: ${JSON.stringify({ type: 'storage' } satisfies StorageFact)}\n\n`);
    if (storage.isFull()) sayStorage();
    const askAgain = oneAtATime(async () => {
      const before = identity;
      identity = await identify(options, request, caller, false).catch(() => null);
      if (stream.closed) return;
      if (identity) {
        const reported: RightsFact = { type: 'rights' };
        if (before && rightsOf(before) !== rightsOf(identity)) say(`data: ${JSON.stringify(reported)}\n\n`);
        return;
      }
      leave();
      stream.end();
    });
    const { accountId, homeAccountId, userId } = identity.actor;
    const subscriptions = [
      bus.subscribe(`live.${accountId}`, (fact) => {
        if (identity && maySee(identity, fact)) say(`data: ${JSON.stringify(fact)}\n\n`);
      }),
      storage.onChange(sayStorage),
      ...[...new Set([userId, accountId, homeAccountId])].map((id) => bus.subscribe(changedSubject(id), askAgain)),
    ];
    const beat = setInterval(async () => {
      await askAgain();
      if (identity && !stream.closed) say(': beat\n\n');
    }, beatMs);
    // stops every source of writes: a write after the end is an error
    const leave = () => {
      clearInterval(beat);
      for (const unsubscribe of subscriptions.splice(0)) unsubscribe();
    };
    stream.on('error', leave);
    stream.on('close', leave);
  });
}

function rightsOf({ actor }: Identity): string {
  const { role, rolePermissions, roleGwids, delegation, token, installationAdmin } = actor;
  return JSON.stringify([role, rolePermissions, roleGwids, delegation, token, installationAdmin]);
}

/** Requires permission and, if personal, the person. A limited scope sees no fact without a network. */
function maySee({ actor }: Identity, fact: unknown): boolean {
  const { gwid, person_id: personId, type } = fact as { gwid?: string | null; person_id?: string | null; type: string };
  const permission = permissionOfFact(type);
  if (permission && !allows(actor, permission)) return false;
  if (personId != null) return personId === actor.userId;
  const gwids = networksOf(actor);
  return !gwids || (gwid != null && gwids.includes(gwid));
}

/** One at a time; a call meanwhile causes one more. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let again = false;
  return () => {
    again = running !== null;
    running ??= (async () => {
      do {
        again = false;
        await work();
      } while (again);
      running = null;
    })();
    return running;
  };
}
