import { bySystem } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { runningSince } from '../../telemetry/heartbeat.ts';
import type { DisconnectReason } from '../../uplink/index.ts';
import { record } from '../logs/index.ts';
import { bandsOf, jsonOf, macsOf, textOf } from './device-fields.ts';
import {
  type DevicePatch,
  type DeviceRecord,
  findNetwork,
  insertDevice,
  lockDevice,
  saveMacs,
  updateDevice,
} from './device-store.ts';
import { announce, announceDevices } from './live.ts';
import { causeAtLoss, causeAtReturn, saysBoot } from './outages/cause.ts';
import { insertOutage } from './outages/outage-store.ts';
import { type JoiningDevice, kindOf, nameOfDevice, placeDevice } from './placement/adoption.ts';
import { createJoinRules, type HasSettings } from './placement/join-rule.ts';
import { joinNetwork, leaveGateway, offerGateway, settlePlacement } from './placement/placement.ts';
import { nextPresence, type PresenceChange, statusOf, statusSince } from './status.ts';
import { presenceOfRow, rowOfPresence } from './tables.ts';

export interface DeviceRef {
  accountId: string;
  serial: string;
}

export interface Enrolled extends DeviceRef {
  at: Date;
  address: string;
  platform: string | null;
  model: string | null;
  gwid: string | null;
  again: boolean;
  /** By the key of an earlier certificate. */
  proven: boolean;
}

export interface PresenceReport {
  at: Date;
  firmware: string | null;
  /** `socket`: plain reconnect; else boot cause; null for switches. */
  reason: string | null;
  platform: string | null;
  model: string | null;
  compatible: string | null;
  capabilities: Record<string, unknown>;
}

export interface Downstream {
  /** Interface with an address of its own. */
  routes: boolean;
  serves: boolean;
}

export interface NewSession {
  address: string;
  epoch: number;
  /** Last frame of the replaced session; null if none, or of another process. */
  heardBefore: Date | null;
}

export interface SessionOver {
  at: Date;
  epoch: number;
  reason: DisconnectReason;
}

export interface PresenceTracker {
  /**
   * Joins the named network if its rule permits; else the first connection or a person decides.
   * @throws Failure notFound
   */
  enrolled(tx: Tx, enrolment: Enrolled): Promise<void>;
  /**
   * Records a session; places a new device.
   * @returns the begin of an outage that an uptime must explain, else null
   */
  connected(tx: Tx, ref: DeviceRef, report: PresenceReport, session: NewSession): Promise<Date | null>;
  disconnected(tx: Tx, ref: DeviceRef, end: SessionOver): Promise<void>;
  restarting(tx: Tx, ref: DeviceRef, at: Date): Promise<void>;
  /**
   * Makes a routing device with clients the gateway of a network without one.
   * @returns false for a device without a network
   */
  routes(tx: Tx, ref: DeviceRef, downstream: Downstream): Promise<boolean>;
}

interface Place {
  gwid: string;
  confirmed: boolean;
}

export function createPresence({
  bus,
  clock,
  hasSettings,
}: {
  bus: Bus;
  clock: Clock;
  hasSettings: HasSettings;
}): PresenceTracker {
  const rules = createJoinRules({ clock, hasSettings });

  async function change(tx: Tx, device: DeviceRecord, what: PresenceChange, patch: DevicePatch = {}): Promise<void> {
    const { account_id: accountId, serial } = device;
    const before = presenceOfRow(device);
    const after = nextPresence(before, what);
    if (after === before) return;
    await updateDevice(tx, accountId, serial, { ...patch, ...rowOfPresence(after) });
    const status = statusOf(after, clock.now());
    const since = statusSince(after, status)?.toISOString() ?? null;
    announce(tx, bus, accountId, { type: 'device.status', serial, gwid: patch.gwid ?? device.gwid, status, since });
  }

  /** Places a device; a named network is the only option. */
  async function findPlace(
    tx: Tx,
    device: DeviceRecord,
    joining: JoiningDevice & { publicAddress: string; at: Date },
  ): Promise<Place | null> {
    const { account_id: accountId, wanted_gwid: wanted } = device;
    const network = wanted ? await findNetwork(tx, accountId, wanted) : undefined;
    if (!network) return settlePlacement(tx, { bus, rules }, device, joining);
    const confirmed = await rules.trusts(tx, network, joining.publicAddress);
    if (!confirmed && !(await rules.admitsUnconfirmed(tx, network))) return null;
    const asGateway = network.gateway_serial === null && joining.kind === 'gateway';
    await joinNetwork(tx, bus, device, network.gwid, { asGateway, confirmed });
    return { gwid: network.gwid, confirmed };
  }

  /** Confirms a placed device once its address is trusted. */
  async function placeOf(
    tx: Tx,
    device: DeviceRecord,
    joining: JoiningDevice & { publicAddress: string; at: Date },
  ): Promise<Place | null> {
    const { account_id: accountId, serial, gwid, confirmed } = device;
    if (!gwid) return findPlace(tx, device, joining);
    if (confirmed) return { gwid, confirmed };
    const network = await findNetwork(tx, accountId, gwid);
    const trusted = network !== undefined && (await rules.trusts(tx, network, joining.publicAddress));
    if (trusted) await announceDevices(tx, bus, accountId, [{ serial, gwid }]);
    return { gwid, confirmed: trusted };
  }

  /**
   * Records the outage. An open old session dates it by its last frame.
   * @returns its begin if an uptime must explain it, else null
   */
  async function endOutage(
    tx: Tx,
    device: DeviceRecord,
    report: PresenceReport,
    session: NewSession,
  ): Promise<Date | null> {
    const { account_id: accountId, serial, restarting_since: restartingSince, offline_cause: lost } = device;
    if (device.epoch === session.epoch) return null;
    const replaced = saysBoot(report.reason) ? (session.heardBefore ?? device.last_seen) : null;
    const began = device.online ? replaced : device.offline_since;
    if (!began || began >= report.at) return null;
    const reason = textOf(report.reason);
    const consoleUpSince = await runningSince(tx, report.at);
    const cause = causeAtReturn({
      began,
      ended: report.at,
      lost,
      restartingSince,
      consoleUpSince,
      reason,
    });
    const bootReason = reason === 'socket' ? null : reason;
    await insertOutage(tx, { accountId, serial, began, ended: report.at, cause, bootReason });
    return cause === 'console' || cause === 'planned' ? null : began;
  }

  return {
    async enrolled(tx, { accountId, serial, at, gwid, platform, model, address, again }) {
      const kind = kindOf(platform);
      const network = gwid ? await findNetwork(tx, accountId, gwid) : null;
      if (network === undefined) throw new Failure('notFound');
      const remark = nameOfDevice({ model, serial });
      const row = {
        account_id: accountId,
        serial,
        gwid: null,
        kind,
        remark,
        model,
        platform,
        public_address: address,
        bound_at: at,
      };
      await insertDevice(tx, row);
      const device = (await lockDevice(tx, accountId, serial))!;
      await record(
        tx,
        { ...bySystem(accountId), source: 'device', ip: address },
        {
          action: again ? 'device.enrol_again' : 'device.bind',
          object: { type: 'device', id: serial, name: device.remark },
          gwid: gwid ?? device.gwid,
          after: { serial, model },
        },
      );
      if (network && network.gwid !== device.gwid) {
        const confirmed = await rules.trusts(tx, network, address);
        if (!confirmed && !(await rules.admitsUnconfirmed(tx, network))) {
          await updateDevice(tx, accountId, serial, { wanted_gwid: network.gwid });
          await announceDevices(tx, bus, accountId, [{ serial, gwid: device.gwid }]);
          return;
        }
        const placement = placeDevice(
          { serial, kind: device.kind, model },
          { networkCount: 1, named: { gwid: network.gwid, gatewaySerial: network.gateway_serial }, sharing: [] },
        );
        if (placement.to === 'network')
          await joinNetwork(tx, bus, device, placement.gwid, { asGateway: placement.asGateway, confirmed });
      } else await announceDevices(tx, bus, accountId, [{ serial, gwid: device.gwid }]);
    },

    async connected(tx, { accountId, serial }, report, session) {
      const { address, epoch } = session;
      const device = await lockDevice(tx, accountId, serial);
      if (!device || device.epoch > epoch) return null;
      const unexplained = await endOutage(tx, device, report, session);
      const platform = report.platform && report.platform !== 'unknown' ? textOf(report.platform) : device.platform;
      const model = textOf(report.model) ?? device.model;
      const kind = kindOf(platform);
      const joining = { serial, kind, model, publicAddress: address, at: report.at };
      const place = await placeOf(tx, device, joining);
      const gwid = place?.gwid ?? null;
      if (kind === 'gateway' && device.gwid) await offerGateway(tx, bus, device);
      const patch: DevicePatch = {
        ...place,
        epoch,
        offline_cause: null,
        kind,
        platform,
        model,
        compatible: textOf(report.compatible) ?? device.compatible,
        firmware: textOf(report.firmware) ?? device.firmware,
        public_address: address,
        // the serial stood for an unknown model
        ...(device.remark === serial && model ? { remark: nameOfDevice({ model, serial }) } : {}),
        ...(Object.keys(report.capabilities).length > 0
          ? { capabilities: jsonOf(report.capabilities), bands: bandsOf(report.capabilities) }
          : {}),
      };
      if (patch.capabilities !== undefined) await saveMacs(tx, accountId, serial, macsOf(report.capabilities));
      await change(tx, device, { type: 'connected', at: report.at, reason: textOf(report.reason) }, patch);
      if (patch.firmware !== device.firmware || model !== device.model)
        await announceDevices(tx, bus, accountId, [{ serial, gwid }]);
      return unexplained;
    },

    async disconnected(tx, { accountId, serial }, end) {
      const device = await lockDevice(tx, accountId, serial);
      if (!device || device.epoch > end.epoch) return;
      const patch = { offline_cause: causeAtLoss(device, end) };
      await change(tx, device, { type: 'disconnected', at: end.at }, patch);
    },

    async restarting(tx, { accountId, serial }, at) {
      const device = await lockDevice(tx, accountId, serial);
      if (device) await change(tx, device, { type: 'restart_commanded', at });
    },

    async routes(tx, { accountId, serial }, { routes, serves }) {
      const device = await lockDevice(tx, accountId, serial);
      if (!device) return false;
      if (device.routes !== routes) {
        await updateDevice(tx, accountId, serial, { routes });
        await announceDevices(tx, bus, accountId, [{ serial, gwid: device.gwid }]);
      }
      if (serves) await offerGateway(tx, bus, device);
      else if (!routes && device.gwid && device.kind !== 'gateway') await leaveGateway(tx, bus, device.gwid, device);
      return device.gwid !== null;
    },
  };
}
