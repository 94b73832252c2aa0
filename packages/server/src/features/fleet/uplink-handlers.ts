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
import { type Acting, bySystem } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { readEdgeFlow, takeAppFlow } from '../../telemetry/app-flow.ts';
import { createFlowAllowance } from '../../telemetry/flow-allowance.ts';
import type { FingerprintPair } from '../../uplink/index.ts';
import type { Jobs } from '../jobs/index.ts';
import { record, recordBoth } from '../logs/index.ts';
import type { Messages } from '../messages/index.ts';
import { textOf } from './device-fields.ts';
import { deleteDevices, devicesBySerial, devicesOf, lockDevice, saveSeen, updateDevice } from './device-store.ts';
import { insertEvent } from './events/event-store.ts';
import { announce } from './live.ts';
import { causeByUptime } from './outages/cause.ts';
import { explainOutage } from './outages/outage-store.ts';
import type {
  DeviceRef,
  Downstream,
  Enrolled,
  NewSession,
  PresenceReport,
  PresenceTracker,
  SessionOver,
} from './presence.ts';

/** Stored whole. */
const keptWhole: ReadonlySet<string> = new Set(['rebootLog', 'crashlog', 'recovery', 'alarm']);
/** Frequent; part of client statistics. */
const terminalEvents = /^client\./;
/** "Notice" and below are not stored. */
const noiseSeverity = 5;

interface Renewal extends DeviceRef {
  address: string;
  until: Date;
}

type Shown = Partial<Downstream> & {
  sanity?: number;
  /** Until an uptime explains it. */
  outage?: Date | null;
};

/** Runs in the connection's transaction, before the device changes. */
export type Connecting = (tx: Tx, ref: DeviceRef, report: PresenceReport) => Promise<void>;

/** Decides for a device with LAN clients. */
export type MayLead = (tx: Tx, ref: DeviceRef) => Promise<boolean>;

export function createUplinkHandlers(deps: {
  database: Database;
  bus: Bus;
  presence: PresenceTracker;
  jobs: Pick<Jobs, 'wake'>;
  messages: Pick<Messages, 'post'>;
  connecting: Connecting;
  mayLead: MayLead;
  removeDevice(tx: Tx, acting: Acting, serial: string): Promise<void>;
}) {
  const { database, bus, presence, jobs, messages } = deps;
  const allowance = createFlowAllowance();
  /** Only changes are written. */
  const shown = new Map<string, Shown>();
  const remembered = (ref: DeviceRef) => {
    const key = `${ref.accountId}.${ref.serial}`;
    const known = shown.get(key) ?? {};
    shown.set(key, known);
    return known;
  };

  /** Keeps the boot cause that switches send after `connect`. */
  async function keepCause(ref: DeviceRef, payload: unknown, at: Date): Promise<void> {
    const cause = textOf(asText(asRecord<{ description: string }>(payload).description, 64));
    if (!cause) return;
    const started = { restart_reason: cause, booted_at: at };
    await database.withSystem((tx) => updateDevice(tx, ref.accountId, ref.serial, started));
  }

  return {
    async enrolled(tx: Tx, enrolment: Enrolled): Promise<void> {
      await presence.enrolled(tx, enrolment);
      if (!enrolment.again || enrolment.proven) return;
      const { accountId, address, serial } = enrolment;
      const [device] = await devicesBySerial(tx, accountId, [serial]);
      await messages.post(tx, accountId, {
        template: 'deviceReenrolled',
        params: { serial, address },
        link: pageOf({ serial, gwid: device?.gwid ?? null }),
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

    async taken(tx: Tx, { accountId, serial, by }: DeviceRef & { by: string }): Promise<void> {
      const [device] = await devicesBySerial(tx, accountId, [serial]);
      await deps.removeDevice(tx, bySystem(accountId), serial);
      const object = { type: 'device' as const, id: serial, name: device?.remark ?? serial };
      const operation = { action: 'device.taken', object, command: true as const };
      await recordBoth(tx, [
        [bySystem(accountId), operation],
        [bySystem(by), { ...operation, object: { ...object, name: serial } }],
      ]);
      const about = { link: '/waiting_devices' } as const;
      await messages.post(tx, accountId, { ...about, template: 'serialTaken', params: { serial } });
      await messages.post(tx, by, { ...about, template: 'serialProven', params: { serial } });
    },

    async shared(tx: Tx, { accountId, serial }: DeviceRef, { first, second }: FingerprintPair): Promise<void> {
      const [device] = await devicesBySerial(tx, accountId, [serial]);
      if (!device) return;
      await record(tx, bySystem(accountId), {
        action: 'device.hold_off',
        object: { type: 'device', id: serial, name: device.remark },
        gwid: device.gwid,
        after: { first, second },
        command: true,
      });
      await messages.post(tx, accountId, {
        template: 'certificateShared',
        params: { serial, first: first.address, second: second.address },
        link: pageOf(device),
        gwid: device.gwid,
      });
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

    async connected(ref: DeviceRef, report: PresenceReport, session: NewSession): Promise<void> {
      const outage = await database.withSystem(async (tx) => {
        await deps.connecting(tx, ref, report);
        return presence.connected(tx, ref, report, session);
      });
      if (outage) remembered(ref).outage = outage;
      await jobs.wake(ref.accountId, ref.serial);
    },

    async disconnected(ref: DeviceRef, end: SessionOver): Promise<void> {
      shown.delete(`${ref.accountId}.${ref.serial}`);
      await database.withSystem((tx) => presence.disconnected(tx, ref, end));
    },

    async reported(
      ref: DeviceRef,
      { downstream, uptimeS }: { downstream: Downstream | null; uptimeS: number | null },
      at: Date,
    ): Promise<void> {
      const known = remembered(ref);
      if (known.outage && uptimeS !== null) {
        const began = known.outage;
        await explainOutage(database.system, { ...ref, began }, causeByUptime(began, at, uptimeS));
        known.outage = null;
      }
      if (!downstream || (known.routes === downstream.routes && known.serves === downstream.serves)) return;
      const isPlaced = await database.withSystem(async (tx) => {
        const serves = downstream.serves && (await deps.mayLead(tx, ref));
        return presence.routes(tx, ref, { ...downstream, serves });
      });
      // a waiting router may still become a gateway
      if (isPlaced || !downstream.serves) Object.assign(known, downstream);
    },

    async message(ref: DeviceRef, method: string, params: Readonly<Record<string, unknown>>, at: Date): Promise<void> {
      const event = eventOf(method, params, at);
      if (!event) return;
      // a fast clock must not date the boot after later commands
      if (event.type === 'device.reboot') await keepCause(ref, event.payload, event.at < at ? event.at : at);
      if (method === 'healthcheck') {
        const sanity = asCount(params.sanity) ?? 100;
        const known = remembered(ref);
        if ((known.sanity ?? 100) === sanity) return;
        known.sanity = sanity;
      }
      await insertEvent(database.system, { ...ref, ...event });
    },

    /** Acknowledges flow of unassigned devices without storing it. */
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

    neighbours: (ref: DeviceRef): Promise<readonly string[]> =>
      database.withSystem(async (tx) => {
        const [device] = await devicesBySerial(tx, ref.accountId, [ref.serial]);
        if (!device?.gwid) return [];
        const all = await devicesOf(tx, ref.accountId, [device.gwid]);
        return all.map((other) => other.serial).filter((serial) => serial !== ref.serial);
      }),
  };
}

function pageOf({ serial, gwid }: { serial: string; gwid: string | null }): string {
  return gwid ? `/network/aps/${gwid}?device=${serial}` : '/waiting_devices';
}

/** Dates by the device if plausible. */
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

/** Replaces 0 and past years of devices without a clock. */
function truthful(seconds: number | null, arrival: Date): Date {
  const given = (seconds ?? 0) * 1000;
  return Math.abs(arrival.getTime() - given) < 7 * 86_400_000 ? new Date(given) : arrival;
}
