import { allows, networksOf, permissionOfFact, type RightsFact } from '@yunxun/contract';
import type { FastifyInstance } from 'fastify';
import type { Bus } from '../bus/index.ts';
import type { Identity } from '../http/call.ts';
import { callerOf, type HttpOptions, identify, refuseUnsigned } from '../http/server.ts';
import { changedSubject } from './changed.ts';

export { rightsChanged } from './changed.ts';

/** Milliseconds between two comment lines, which keep proxies from closing the stream and re-check the session. */
const beatMs = 4000;
/** Streams that one address may open in a minute: a page opens one, and one more when it was cut off. */
const streamsPerMinute = 1200;
/** Bytes that may wait for a page which does not read; one with more is cut off, comes back, and reads anew. */
const mostUnread = 256 * 1024;

/**
 * Server-sent events at `/api/v3/live`: small facts of the account to its open pages (WHATWG HTML, section 9.2).
 * Read by streaming fetch with the bearer. A session that has ended closes its streams: at once when `rightsChanged` says
 * so of its person or account, else within one beat.
 */
export function mountLive(app: FastifyInstance, options: HttpOptions, bus: Bus): void {
  const rateLimit = { max: streamsPerMinute * options.limitFactor, timeWindow: 60_000 };
  app.get('/api/v3/live', { exposeHeadRoute: false, config: { rateLimit } }, async (request, reply) => {
    const caller = callerOf(request);
    let identity = await identify(options, request, caller);
    if (!identity) return refuseUnsigned('/api/v3/live', caller, reply);
    reply.hijack();
    const stream = reply.raw;
    stream.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const say = (text: string) => {
      if (stream.writableLength > mostUnread) stream.destroy();
      else stream.write(text);
    };
    say('retry: 2000\n\n');
    // rights may have changed since the last time
    const askAgain = oneAtATime(async () => {
      const before = identity;
      identity = await identify(options, request, caller, false).catch(() => null);
      if (stream.closed) return;
      if (identity) {
        const told: RightsFact = { type: 'rights' };
        if (before && rightsOf(before) !== rightsOf(identity)) say(`data: ${JSON.stringify(told)}\n\n`);
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
      ...[...new Set([userId, accountId, homeAccountId])].map((id) => bus.subscribe(changedSubject(id), askAgain)),
    ];
    const beat = setInterval(async () => {
      await askAgain();
      if (identity && !stream.closed) say(': beat\n\n');
    }, beatMs);
    // nothing is written any more once it ends: a write after the end would be an error of its own
    const leave = () => {
      clearInterval(beat);
      for (const unsubscribe of subscriptions.splice(0)) unsubscribe();
    };
    stream.on('error', leave);
    stream.on('close', leave);
  });
}

/** What somebody may do and see, to be compared with what it was. */
function rightsOf({ actor }: Identity): string {
  const { role, roleGwids, grant, token, installationAdmin } = actor;
  return JSON.stringify([role, roleGwids, grant, token, installationAdmin]);
}

/**
 * A fact is for who may read what it is about; one that names a person for that person only. Else row security's rule:
 * a grant for some networks shows those, and nothing that belongs to none of them.
 */
function maySee({ actor }: Identity, fact: unknown): boolean {
  const { gwid, person_id: personId, type } = fact as { gwid?: string | null; person_id?: string | null; type: string };
  const permission = permissionOfFact(type);
  if (permission && !allows(actor, permission)) return false;
  if (personId != null) return personId === actor.userId;
  const gwids = networksOf(actor);
  return !gwids || (gwid != null && gwids.includes(gwid));
}

/** Runs `work` by itself; asked for meanwhile, it runs once more afterwards, since it may have looked too early. */
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
