import {
  asCount,
  asList,
  asNumber,
  asRecord,
  asText,
  type EventParams,
  type HealthcheckParams,
  type LogParams,
} from '@yunxun/contract/device';
import { bySystem } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { readEdgeFlow, takeAppFlow } from '../../telemetry/app-flow.ts';
import { createFlowAllowance } from '../../telemetry/flow-allowance.ts';
import type { Jobs } from '../jobs/service.ts';
import { record } from '../logs/audit.ts';
import type { Messages } from '../messages/service.ts';
import { deleteDevices, devicesBySerial, devicesOf, lockDevice, saveSeen, updateDevice } from './device-store.ts';
import { textOf } from './device-words.ts';
import { insertEvent } from './event-store.ts';
import { announce } from './live.ts';
import type { DeviceRef, Downstream, Enrolled, PresenceKeeper, Said } from './presence.ts';

/** Messages that are kept whole as events. */
const keptWhole: ReadonlySet<string> = new Set(['rebootLog', 'crashlog', 'recovery', 'alarm']);
/** Groups of realtime events that are many and belong to the statistics of terminals. */
const terminalEvents = /^client\./;
/** Log lines from this severity up are noise (5 is "notice" in syslog's order). */
const noiseSeverity = 5;

/** A device was given its next certificate, which ends then. */
interface Renewal extends DeviceRef {
  address: string;
  until: Date;
}

/** Is told of a session in the transaction that takes note of it, while the device is still known as it was before. */
export type Connecting = (tx: Tx, ref: DeviceRef, said: Said) => Promise<void>;

/** What the fleet makes of the uplink's facts; fits the uplink's handlers. */
export function createUplinkHandlers(deps: {
  database: Database;
  bus: Bus;
  presence: PresenceKeeper;
  jobs: Pick<Jobs, 'wake'>;
  messages: Pick<Messages, 'post'>;
  connecting: Connecting;
}) {
  const { database, bus, presence, jobs, messages } = deps;
  const allowance = createFlowAllowance();
  /** What the last messages of each connected device showed, so that only a change is written. */
  const shown = new Map<string, Partial<Downstream> & { sanity?: number }>();
  const remembered = (ref: DeviceRef) => {
    const key = `${ref.accountId}.${ref.serial}`;
    const known = shown.get(key) ?? {};
    shown.set(key, known);
    return known;
  };

  /** A switch says why it started in an event of its own, right after `connect`. */
  async function keepCause(ref: DeviceRef, payload: unknown, at: Date): Promise<void> {
    const cause = textOf(asText(asRecord<{ description: string }>(payload).description, 64));
    if (!cause) return;
    const started = { restart_reason: cause, booted_at: at };
    await database.withSystem((tx) => updateDevice(tx, ref.accountId, ref.serial, started));
  }

  return {
    async enrolled(tx: Tx, enrolment: Enrolled): Promise<void> {
      await presence.enrolled(tx, enrolment);
      if (!enrolment.again) return;
      const { accountId, address, serial } = enrolment;
      const [device] = await devicesBySerial(tx, accountId, [serial]);
      await messages.post(tx, accountId, {
        type: 'security',
        template: 'deviceReenrolled',
        params: { serial, address },
        link: device?.gwid ? `/network/aps/${device.gwid}?device=${serial}` : '/waiting_devices',
        gwid: device?.gwid ?? null,
      });
    },

    async lapsed(tx: Tx, { accountId, serial }: DeviceRef): Promise<void> {
      const device = await lockDevice(tx, accountId, serial);
      if (!device) return;
      await deleteDevices(tx, accountId, [serial]);
      await record(tx, bySystem(accountId), {
        action: 'device.lapse',
        object: { type: 'device', id: serial, name: device.remark },
        gwid: device.gwid,
        before: { serial, model: device.model },
      });
      announce(tx, bus, accountId, { type: 'device.removed', serial, gwid: device.gwid });
    },

    async renewed(tx: Tx, { accountId, serial, address, until }: Renewal): Promise<void> {
      const [device] = await devicesBySerial(tx, accountId, [serial]);
      if (!device) return;
      await record(
        tx,
        { ...bySystem(accountId), source: 'device', ip: address },
        {
          action: 'device.renew_certificate',
          object: { type: 'device', id: serial, name: device.remark },
          gwid: device.gwid,
          after: { until: until.toISOString() },
          command: true,
        },
      );
    },

    async connected(ref: DeviceRef, said: Said, link: { address: string; epoch: number }): Promise<void> {
      await database.withSystem(async (tx) => {
        await deps.connecting(tx, ref, said);
        await presence.connected(tx, ref, said, link);
      });
      await jobs.wake(ref.accountId, ref.serial);
    },

    async disconnected(ref: DeviceRef, end: { at: Date; epoch: number }): Promise<void> {
      shown.delete(`${ref.accountId}.${ref.serial}`);
      await database.withSystem((tx) => presence.disconnected(tx, ref, end));
    },

    /** A report shows whether the device routes, and whether somebody is behind it. */
    async reported(ref: DeviceRef, { downstream }: { downstream: Downstream | null }): Promise<void> {
      const known = remembered(ref);
      if (!downstream || (known.routes === downstream.routes && known.serves === downstream.serves)) return;
      await database.withSystem((tx) => presence.routes(tx, ref, downstream));
      Object.assign(known, downstream);
    },

    async message(ref: DeviceRef, method: string, params: Readonly<Record<string, unknown>>, at: Date): Promise<void> {
      const event = eventOf(method, params, at);
      if (!event) return;
      // by a clock that is ahead it would have started after what it is told next
      if (event.type === 'device.reboot') await keepCause(ref, event.payload, event.at < at ? event.at : at);
      if (method === 'healthcheck') {
        const sanity = asCount(params.sanity) ?? 100;
        const known = remembered(ref);
        if ((known.sanity ?? 100) === sanity) return;
        known.sanity = sanity;
      }
      await insertEvent(database.system, { ...ref, ...event });
    },

    /** Flow of a device that is in no network is nobody's; the device keeps it no longer all the same. */
    async flow(ref: DeviceRef, params: Readonly<Record<string, unknown>>, at: Date): Promise<number | null> {
      const delivery = readEdgeFlow(params, at);
      if (!delivery || !allowance.takes(ref.serial, delivery.rows.length, at)) return null;
      await database.withSystem(async (tx) => {
        const [device] = await devicesBySerial(tx, ref.accountId, [ref.serial]);
        if (device?.gwid) await takeAppFlow(tx, { ...ref, gwid: device.gwid }, delivery);
      });
      return delivery.seq;
    },

    restarting: (ref: DeviceRef, at: Date): Promise<void> =>
      database.withSystem((tx) => presence.restarting(tx, ref, at)),

    seen: (devices: readonly (DeviceRef & { at: Date })[]): Promise<void> => saveSeen(database.system, devices),

    /** Serials of the other devices of the same network. */
    neighbours: (ref: DeviceRef): Promise<readonly string[]> =>
      database.withSystem(async (tx) => {
        const [device] = await devicesBySerial(tx, ref.accountId, [ref.serial]);
        if (!device?.gwid) return [];
        const all = await devicesOf(tx, ref.accountId, [device.gwid]);
        return all.map((other) => other.serial).filter((serial) => serial !== ref.serial);
      }),
  };
}

/** What of a message is kept as an event; null for none. The time is the device's own where it has one that can be true. */
function eventOf(
  method: string,
  params: Readonly<Record<string, unknown>>,
  at: Date,
): { at: Date; type: string; payload: unknown } | null {
  if (keptWhole.has(method)) return { at, type: method, payload: params };
  if (method === 'event') {
    const [seconds, body] = asList(asRecord<EventParams['data']>(asRecord<EventParams>(params).data).event);
    const { type, payload } = asRecord<{ type: string; payload: unknown }>(body);
    const name = asText(type, 64);
    if (!name || terminalEvents.test(name)) return null;
    return { at: truthful(asNumber(seconds), at), type: name, payload };
  }
  if (method === 'healthcheck') {
    const { sanity, data } = asRecord<HealthcheckParams>(params);
    return { at, type: 'healthcheck', payload: { sanity, data } };
  }
  if (method === 'log') {
    const { log, severity } = asRecord<LogParams>(params);
    const level = asCount(severity) ?? 7;
    return level < noiseSeverity ? { at, type: 'log', payload: { log: asText(log), severity: level } } : null;
  }
  return null;
}

/** A device without a clock says 0 or some year long past: then the time of arrival is the better one. */
function truthful(seconds: number | null, arrival: Date): Date {
  const given = (seconds ?? 0) * 1000;
  return Math.abs(arrival.getTime() - given) < 7 * 86_400_000 ? new Date(given) : arrival;
}
