import {
  asNumber,
  asText,
  commandTimeouts,
  edgeCertificateMethod,
  edgeFlowMethod,
  edgeRenewMethod,
  edgeTakenMethod,
  isDeviceMethod,
} from '@yunxun/contract/device';
import { CommandError } from './command-error.ts';
import type { ReportDigest } from './ports.ts';
import type { Received } from './receive.ts';
import type { Session } from './session.ts';
import type { SessionContext } from './session-context.ts';
import { factSubject, tellSession } from './subjects.ts';

type Params = Readonly<Record<string, unknown>>;

/** Messages whose content is too large or too frequent for the bus: the fact only says that they came. */
const contentStays: ReadonlySet<string> = new Set(['state', 'telemetry', 'wifiscan', 'healthcheck']);
/** A device may broadcast to its venue so often per minute. */
const broadcastsPerMinute = 60;

/**
 * Handles any message after `connect`. What has a place of its own is put there first (reports, passwords,
 * broadcasts, the wish to be restarted); then the handlers of the program hear of it, then the bus. Methods that nobody knows are logged,
 * counted and passed on like the rest. State reports go another way (`handleReport`).
 * @returns what settles when everything that is kept of it is committed; null when nothing is to be waited for
 */
export async function handleMessage(
  context: SessionContext,
  session: Session,
  frame: Extract<Received, { kind: 'message' }>,
  at: Date,
): Promise<{ kept: Promise<unknown> | null }> {
  const { device } = session;
  const { handlers, log, metrics } = context;
  const known = isDeviceMethod(frame.method);
  const method = frame.method;
  metrics.messages.inc({ method: known ? method : 'unknown' });
  if (!known) log.info({ serial: device.serial, method }, 'unknown message');
  let { params }: { params: Params } = frame;
  if (method === edgeFlowMethod) {
    await takeFlow(context, session, params, at);
    return { kept: null };
  }
  if (method === edgeRenewMethod) {
    await renew(context, session, params);
    return { kept: null };
  }

  if (method === 'healthcheck')
    tellHealth(context, session, params, context.reports.healthcheck(device, params, at), at);
  if (method === 'deviceupdate') params = await keepPassword(context, session, params, at);
  if (method === 'recovery') void restart(context, session, params);
  if (method === 'venue_broadcast') await relay(context, session, params, at);

  // before anything waits: what comes of a terminal stays in the order of the wire
  const kept =
    method === 'event' && session.link
      ? context.reports.event(device, params, { epoch: session.link.epoch, at })
      : null;
  await handlers.message(device, method, params, at);
  if (method === 'healthcheck') return { kept: null };
  const content = contentStays.has(method) ? {} : { params };
  context.publish(factSubject(device, known ? method.toLowerCase() : 'unknown'), { at, method, ...content });
  return { kept };
}

/** What is not told to be taken, the device says again. */
async function takeFlow(context: SessionContext, session: Session, params: Params, at: Date): Promise<void> {
  const seq = await context.handlers.flow(session.device, params, at);
  if (seq === null) context.metrics.dropped.inc({ why: 'flow' });
  else session.channel.notify(edgeTakenMethod, { seq });
}

/** Answers with a certificate for the session's own serial, whatever the parameters name. */
async function renew({ log, renewals }: SessionContext, session: Session, { csr }: Params): Promise<void> {
  const { device, peer, address, channel } = session;
  const renewed = await renewals.renew(device, peer, asText(csr, 16_384) ?? '', address);
  log.info({ serial: device.serial, refused: 'refused' in renewed ? renewed.refused : null }, 'certificate renewal');
  channel.notify(edgeCertificateMethod, renewed);
}

/** A state report is committed: tells the program, then the bus. */
export async function handleReport(
  context: SessionContext,
  { device }: Session,
  report: ReportDigest,
  at: Date,
): Promise<void> {
  await context.handlers.reported(device, report, at);
  const { uuid, requestUuid } = report;
  context.publish(factSubject(device, 'state'), { at, method: 'state', uuid, request_uuid: requestUuid });
}

/** Tells of a health report once it is committed; one that a newer report replaced is not told. */
function tellHealth(
  context: SessionContext,
  session: Session,
  params: Params,
  written: Promise<boolean>,
  at: Date,
): void {
  const { device } = session;
  const method = 'healthcheck';
  written.then(
    (committed) => {
      if (!committed) return;
      const fact = { at, method, uuid: asNumber(params.uuid), request_uuid: asText(params.request_uuid, 64) };
      context.publish(factSubject(device, method), fact);
    },
    (error: unknown) => context.log.error({ err: error, serial: device.serial, method }, 'report not written'),
  );
}

async function keepPassword(context: SessionContext, session: Session, params: Params, at: Date): Promise<Params> {
  const { currentPassword, ...rest } = params;
  if (typeof currentPassword === 'string') await context.passwords.store(session.device, currentPassword, at);
  return rest;
}

const restarting = new WeakSet<Session>();

/** A device that came up in its recovery system asks to be restarted, as text or as a truth value; once is enough. */
async function restart(context: SessionContext, session: Session, { reboot }: Params): Promise<void> {
  if (String(reboot) !== 'true' || restarting.has(session)) return;
  restarting.add(session);
  const { clock, handlers, log } = context;
  const { serial } = session.device;
  log.info({ serial }, 'device in recovery asks to be restarted');
  try {
    await session.channel.call('reboot', { when: 0 }, commandTimeouts.reboot).catch((error: unknown) => {
      // it went before its answer came
      if (!(error instanceof CommandError && error.code === 'DEVICE_GONE' && error.data.sent)) throw error;
    });
    await handlers.restarting(session.device, clock.now());
  } catch (error) {
    restarting.delete(session);
    log.warn({ err: error, serial }, 'device in recovery not restarted');
  }
}

const broadcasts = new WeakMap<Session, { minute: number; count: number }>();

/** Passes a broadcast on to the other devices of the network, wherever their sockets are. */
async function relay(context: SessionContext, session: Session, params: Params, at: Date): Promise<void> {
  const minute = Math.floor(at.getTime() / 60_000);
  const before = broadcasts.get(session);
  const count = before?.minute === minute ? before.count + 1 : 1;
  broadcasts.set(session, { minute, count });
  if (count > broadcastsPerMinute) {
    context.metrics.dropped.inc({ why: 'broadcast-rate' });
    return;
  }
  const { accountId, serial } = session.device;
  for (const neighbour of await context.handlers.neighbours(session.device)) {
    if (neighbour === serial) continue;
    tellSession(context.bus, { accountId, serial: neighbour }, { type: 'relay', params: { ...params } });
  }
}
