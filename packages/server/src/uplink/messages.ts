import {
  asNumber,
  asText,
  commandTimeouts,
  edgeBoundMethod,
  edgeCertificateMethod,
  edgeFlowMethod,
  edgeRenewMethod,
  edgeTakenMethod,
  isDeviceMethod,
} from '@yunxun/contract/device';
import { CommandError } from './command-error.ts';
import type { DeviceSession } from './device-session.ts';
import type { ReportDigest } from './ports.ts';
import type { Received } from './receive.ts';
import type { SessionContext } from './session-context.ts';
import { factSubject, tellSession } from './subjects.ts';

type Params = Readonly<Record<string, unknown>>;

/** Too large or frequent for the bus. */
const contentStays: ReadonlySet<string> = new Set(['state', 'telemetry', 'wifiscan', 'healthcheck']);
const broadcastsPerMinute = 60;

/**
 * Runs built-in handling, then handlers, then publishes. Unknown methods pass.
 * @returns a promise of the commit, or null
 */
export async function handleMessage(
  context: SessionContext,
  session: DeviceSession,
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

  // before any await: keeps client events in order
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

/** Tells an agent that removed our additions whether to restore them. Precedes every command. */
export async function notifyBound({ admission }: SessionContext, { device, channel }: DeviceSession): Promise<void> {
  channel.notify(edgeBoundMethod, { same: !(await admission.wasUnboundElsewhere(device)) });
}

/** Leaves failed flow unacknowledged: the device repeats it. */
async function takeFlow(context: SessionContext, session: DeviceSession, params: Params, at: Date): Promise<void> {
  const seq = await context.handlers.flow(session.device, params, at);
  if (seq === null) context.metrics.dropped.inc({ why: 'flow' });
  else session.channel.notify(edgeTakenMethod, { seq });
}

/** Ignores serials in the parameters. */
async function renew({ log, renewals }: SessionContext, session: DeviceSession, { csr }: Params): Promise<void> {
  const { device, peer, address, channel } = session;
  const renewed = await renewals.renew(device, peer, asText(csr, 16_384) ?? '', address);
  log.info({ serial: device.serial, refused: 'refused' in renewed ? renewed.refused : null }, 'certificate renewal');
  channel.notify(edgeCertificateMethod, renewed);
}

export async function handleReport(
  context: SessionContext,
  { device }: DeviceSession,
  report: ReportDigest,
  at: Date,
): Promise<void> {
  await context.handlers.reported(device, report, at);
  const { uuid, requestUuid } = report;
  context.publish(factSubject(device, 'state'), { at, method: 'state', uuid, request_uuid: requestUuid });
}

/** Publishes after the commit, but no replaced reports. */
function tellHealth(
  context: SessionContext,
  session: DeviceSession,
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

async function keepPassword(
  context: SessionContext,
  session: DeviceSession,
  params: Params,
  at: Date,
): Promise<Params> {
  const { currentPassword, ...rest } = params;
  if (typeof currentPassword === 'string') await context.passwords.store(session.device, currentPassword, at);
  return rest;
}

const restarting = new WeakSet<DeviceSession>();

/** Restarts a device in recovery once on its request, text or boolean. */
async function restart(context: SessionContext, session: DeviceSession, { reboot }: Params): Promise<void> {
  if (String(reboot) !== 'true' || restarting.has(session)) return;
  restarting.add(session);
  const { clock, handlers, log } = context;
  const { serial } = session.device;
  log.info({ serial }, 'device in recovery asks to be restarted');
  try {
    await session.channel.call('reboot', { when: 0 }, commandTimeouts.reboot).catch((error: unknown) => {
      // it restarted before answering
      if (!(error instanceof CommandError && error.code === 'DEVICE_GONE' && error.data.sent)) throw error;
    });
    await handlers.restarting(session.device, clock.now());
  } catch (error) {
    restarting.delete(session);
    log.warn({ err: error, serial }, 'device in recovery not restarted');
  }
}

const broadcasts = new WeakMap<DeviceSession, { minute: number; count: number }>();

async function relay(context: SessionContext, session: DeviceSession, params: Params, at: Date): Promise<void> {
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
