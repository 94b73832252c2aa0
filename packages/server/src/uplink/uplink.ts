import { newId } from '../platform/database/id.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { PresenceStore } from '../telemetry/presence.ts';
import { type DevicePortOptions, openDevicePort, type PortTimes, portTimes } from './device-port.ts';
import { Capacity } from './flow.ts';
import { HandshakeLimiter } from './handshake-limiter.ts';
import { closeLostLinks } from './lost-links.ts';
import { uplinkMetrics } from './metrics.ts';
import type { RefusalLog } from './refusals.ts';
import { SessionRegistry } from './registry.ts';
import type { SessionContext } from './session-context.ts';
import { writeOwedEnds } from './session-end.ts';
import { nodeSubject, onSessionOrder } from './subjects.ts';

export interface UplinkOptions
  extends Omit<DevicePortOptions, 'context' | 'times'>,
    Pick<
      SessionContext,
      'admission' | 'bus' | 'clock' | 'log' | 'handlers' | 'passwords' | 'renewals' | 'reports' | 'sharing'
    > {
  metrics: Metrics;
  links: PresenceStore;
  refusals: RefusalLog;
  times?: Partial<PortTimes>;
  /** Milliseconds between heartbeats, checks of processes, and retries of ends. */
  vouchEvery?: number;
  /** Concurrent database work. */
  turns: number;
  /** Unhandled bytes from which each device is limited. */
  maxInAll?: number;
}

export interface Uplink {
  readonly port: number;
  readonly node: string;
  /** Counts sessions after `connect`. */
  sessions(): number;
  /** Writes all ends; devices reconnect by themselves. */
  stop(): Promise<void>;
}

/** Milliseconds; the next start closes the rest. */
const stopTimeout = 10_000;
/** At a time, to spread the load. */
const stopSlice = 100;

export async function startUplink(options: UplinkOptions): Promise<Uplink> {
  const { bus, log } = options;
  const node = newId();
  const capacity = new Capacity(options.maxInAll);
  const limiter = new HandshakeLimiter(options.turns);
  const metrics = uplinkMetrics(options.metrics, capacity, limiter);
  const context = makeContext(options, { node, metrics, capacity, limiter });
  const releases = [
    bus.respond(nodeSubject(node), async () => true),
    onSessionOrder(bus, ({ accountId, serial }, order) => {
      for (const session of context.registry.openOf(serial))
        if (session.device.accountId === accountId) session.handleOrder(order);
    }),
  ];
  await closeLostLinks(options, (other) => other !== node);
  const beat = () => options.links.heartbeat(node, options.clock.now());
  await beat();
  const port = await openDevicePort({ ...options, context, times: { ...portTimes, ...options.times } });
  let vouching: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    vouching = vouching
      .then(beat)
      .then(() => vouch(context))
      .then(() => closeLostLinks(options, (other) => other !== node))
      .then(() => writeOwedEnds(context))
      .catch((error: unknown) => log.error({ err: error }, 'sessions not vouched for'));
  }, options.vouchEvery ?? 60_000);
  timer.unref();

  return {
    port: port.port,
    node,
    sessions: () => context.registry.size,
    async stop() {
      clearInterval(timer);
      port.stopListening();
      await beat().catch((error: unknown) => log.error({ err: error }, 'end of listening not noted'));
      await endAll(context);
      await port.close();
      for (const release of releases) release();
      await vouching;
      await options.refusals.flush();
    },
  };
}

function makeContext(
  options: UplinkOptions,
  own: Pick<SessionContext, 'node' | 'metrics' | 'capacity' | 'limiter'>,
): SessionContext {
  const { bus, log } = options;
  const { metrics, limiter } = own;
  return {
    ...options,
    ...withLimiter(limiter, options),
    ...own,
    registry: new SessionRegistry(),
    refuse(refusal) {
      metrics.refused.inc({ reason: refusal.reason });
      log.info({ refusal }, 'device refused');
      options.refusals.record({ ...refusal, accountId: null });
    },
    publish(subject, message) {
      try {
        bus.publish(subject, message);
      } catch (error) {
        metrics.dropped.inc({ why: 'fact' });
        log.warn({ err: error, subject }, 'fact not published');
      }
    },
  };
}

/** Limits database work of sessions. */
function withLimiter(limiter: HandshakeLimiter, { handlers, links, passwords, renewals, sharing }: UplinkOptions) {
  const through =
    <A extends unknown[], R>(work: (...given: A) => Promise<R>) =>
    (...given: A) =>
      limiter.run('session', () => work(...given));
  return {
    links: { ...links, open: through(links.open), close: through(links.close) },
    passwords: { ...passwords, store: through(passwords.store) },
    renewals: { renew: through(renewals.renew) },
    sharing: { ...sharing, admits: through(sharing.admits), takenOver: through(sharing.takenOver) },
    handlers: {
      ...handlers,
      connected: through(handlers.connected),
      disconnected: through(handlers.disconnected),
      reported: through(handlers.reported),
      message: through(handlers.message),
      flow: through(handlers.flow),
      restarting: through(handlers.restarting),
      neighbours: through(handlers.neighbours),
    },
  };
}

/** Skips sessions without a new frame. */
const vouched = new WeakMap<object, number>();

async function vouch(context: SessionContext): Promise<void> {
  const heard = [];
  for (const session of context.registry.values()) {
    if (!session.link || vouched.get(session) === session.lastFrameAt) continue;
    vouched.set(session, session.lastFrameAt);
    heard.push({ ...session.device, epoch: session.link.epoch, at: new Date(session.lastFrameAt) });
  }
  for (let at = 0; at < heard.length; at += 1000) {
    const slice = heard.slice(at, at + 1000);
    await context.links.touch(slice);
    await context.handlers.seen(slice.map(({ accountId, serial, at: seen }) => ({ accountId, serial, at: seen })));
  }
}

async function endAll(context: SessionContext): Promise<void> {
  const all = [...context.registry.open()];
  const timeoutSignal = AbortSignal.timeout(stopTimeout);
  const late = new Promise<void>((resolve) => timeoutSignal.addEventListener('abort', () => resolve()));
  for (let at = 0; at < all.length && !timeoutSignal.aborted; at += stopSlice) {
    const slice = all.slice(at, at + stopSlice);
    for (const session of slice) session.end('server-stopped', 1012);
    await Promise.race([Promise.all(slice.map((session) => session.ended())), late]);
  }
}
