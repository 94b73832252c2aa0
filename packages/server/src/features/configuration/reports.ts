import { asCount } from '@yunxun/contract/device';
import { bySystem } from '../../platform/acting.ts';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import { againOnDeadlock } from '../../platform/database/deadlock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import type { DeviceRef, Link, ReportDigest, ReportedPort } from '../../uplink/index.ts';
import { fleetDevices, type ManagedDevice } from '../fleet/index.ts';
import { type Jobs, openWork } from '../jobs/index.ts';
import { readCommitConfirmReport } from './commit-confirm.ts';
import { readContact } from './first-contact/contact-store.ts';
import type { ReportRequests } from './first-contact/report-requests.ts';
import { rolesOf } from './first-contact/roles.ts';
import type { AfterContact, FirstContact } from './first-contact/service.ts';
import { hasRoles } from './first-contact/unsettled.ts';
import { takesGatewaySettings } from './gateway-facts.ts';
import { readGateway } from './gateway-store.ts';
import { readLayersOf } from './layers/reader.ts';
import type { Planner, PushReason } from './planner.ts';
import { readPorts, writePorts } from './port-store.ts';
import { configurationJob } from './push-items.ts';
import type { Rollout } from './rollout.ts';
import { createSubnetWatch, type SubnetWatchDeps } from './subnet-watch.ts';
import { learnUplinks } from './switch-uplinks.ts';
import { type AfterReport, reported, returned, trying } from './transitions.ts';
import { raiseTxPowerCaps } from './tx-power-cap-store.ts';
import { reportedTxPowerCaps } from './tx-power-caps.ts';
import { readDocument, readState } from './version-store.ts';

/** Messages that carry the running uuid. */
const telling: ReadonlySet<string> = new Set(['healthcheck', 'ping']);

export interface ReportDeps {
  database: Database;
  clock: Clock;
  keys: AccountKeys;
  planner: Planner;
  rollout: Rollout;
  jobs: Pick<Jobs, 'wake'>;
  contacts: Pick<FirstContact, 'take'>;
  requests: Pick<ReportRequests, 'start' | 'cancel'>;
  latestState(tx: Tx, device: DeviceRef): Promise<{ at: Date; params: Record<string, unknown> } | null>;
  noteEvent: SubnetWatchDeps['noteEvent'];
}

const nameOf = ({ accountId, serial }: DeviceRef) => `${accountId}.${serial}`;

export function createReports(deps: ReportDeps) {
  const { database, clock, keys, planner, rollout, jobs, latestState, contacts, requests } = deps;
  const watchSubnets = createSubnetWatch(deps);
  /** Server milliseconds. */
  const sessionBegan = boundedCache<number>(50_000);
  const last = boundedCache<number>(50_000);
  const heard = boundedCache<string>(50_000);
  const shown = boundedCache<string>(10_000);
  /** The next report shows whether they route. */
  const fresh = new Set<string>();
  async function take(
    tx: Tx,
    ref: DeviceRef,
    uuid: number,
    reportedAt: Date | null = null,
  ): Promise<{ after: AfterReport; known: boolean; outdated?: boolean }> {
    const device = await fleetDevices.find(tx, ref.accountId, ref.serial, clock.now());
    // switches report the last sent uuid, accepted or not
    if (!device || (reportedAt && device.kind === 'switch')) return { after: 'nothing', known: false };
    if (!(await readState(tx, ref)).known) return { after: 'nothing', known: false };
    const session = await planner.openSession(tx, ref.accountId, [ref.serial]);
    const { state, known } = session.stateOf(ref.serial);
    const { state: next, after } = reported(state, uuid);
    // a push may have ended since
    if (after === 'drifted' && reportedAt && reportedAt < (session.changedAt(ref.serial) ?? reportedAt))
      return { after: 'nothing', known, outdated: true };
    session.put(ref.serial, next);
    if (after === 'applied') session.change(ref.serial, uuid, { outcome: 'applied' });
    await session.close();
    return { after, known };
  }

  /**
   * Stages the current document; for unconfigured devices only after a report, since it might disconnect clients.
   * `shown`: the report is committed.
   * @returns `wait` without a report, `settled` when it suffices
   */
  async function want(
    tx: Tx,
    ref: DeviceRef,
    cause: PushReason['cause'],
    shown = false,
  ): Promise<AfterContact | 'managed'> {
    const device = await fleetDevices.find(tx, ref.accountId, ref.serial, clock.now());
    if (!device) return 'managed';
    const contact = await readContact(tx, ref);
    const open = !(await readState(tx, ref)).known || contact?.settled === false;
    if (open) {
      if (!shown && (!(await hasReported(tx, device)) || (await mayBecomeGateway(tx, device)))) return awaitReport(ref);
      const configured = await isConfigured(tx, device);
      if ((await contacts.take(tx, device, configured)) === 'wait') return awaitReport(ref);
      if (!configured) return 'settled';
    }
    // the waiting item pushes by itself
    const waits = (open || shown) && (await openWork.find(tx, ref.accountId, ref.serial, [configurationJob]));
    if (!waits) await rollout.startIfNeeded(tx, bySystem(ref.accountId), ref.serial, { cause, author: 'system' });
    return open || waits ? 'settled' : 'managed';
  }

  function awaitReport(ref: DeviceRef): 'wait' {
    fresh.add(nameOf(ref));
    return 'wait';
  }

  /** Locks states before assignments, unlike rollout steps: retried on deadlock. */
  const look = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => againOnDeadlock(() => database.withSystem(work));

  async function isConfigured(tx: Tx, device: ManagedDevice): Promise<boolean> {
    const { accountId, gwid } = device;
    const layersOf = await readLayersOf(tx, keys, accountId, [device]);
    if (layersOf(device).length > 0) return true;
    return gwid !== null && takesGatewaySettings(device) && (await readGateway(tx, accountId, gwid)).version > 0;
  }

  /** Includes reports of this session on any node. */
  async function hasReported(tx: Tx, { onlineSince, ...device }: ManagedDevice): Promise<boolean> {
    const latest = onlineSince && (await latestState(tx, device));
    return latest !== null && latest.at >= onlineSince!;
  }

  /** The fleet learns of clients behind it with its next report; bridged settings would come first. */
  async function mayBecomeGateway(tx: Tx, device: ManagedDevice): Promise<boolean> {
    if (device.routes || device.behindGateway || device.gwid === null || !hasRoles(device)) return false;
    return rolesOf((await latestState(tx, device))?.params.state)?.serves === true;
  }

  async function learn(ref: DeviceRef, uuid: number, powers: ReadonlyMap<string, number>): Promise<void> {
    const reported = `${uuid} ${[...powers].join(' ')}`;
    if (powers.size === 0 || heard.get(nameOf(ref)) === reported) return;
    await database.withSystem(async (tx) => {
      const { state: stand, known } = await readState(tx, ref);
      // another version may become active now
      if (known && stand.active_uuid !== uuid) return;
      const document = known ? await readDocument(tx, keys, ref, uuid) : null;
      if (document) await raiseTxPowerCaps(tx, ref, reportedTxPowerCaps(powers, document));
      heard.set(nameOf(ref), reported);
    });
  }

  /** Stores uplinks too, which decide the ports that rules skip. */
  async function learnPorts(ref: DeviceRef, ports: readonly ReportedPort[]): Promise<void> {
    if (ports.length === 0) return;
    const reported = JSON.stringify(ports);
    const same = shown.get(nameOf(ref)) === reported;
    const after = await look(async (tx) => {
      const device = await fleetDevices.find(tx, ref.accountId, ref.serial, clock.now());
      if (!device) return 'managed';
      const first = !(await readPorts(tx, ref.accountId, [ref.serial])).has(ref.serial);
      if (!same) await writePorts(tx, ref, ports);
      const moved = await learnUplinks(tx, device, clock.now());
      return first || moved ? want(tx, ref, 'ports_reported', true) : 'managed';
    });
    if (after === 'settled') await jobs.wake(ref.accountId, ref.serial);
    shown.set(nameOf(ref), reported);
  }

  return {
    /** Runs after the fleet. Requests an unconfigured device's report, otherwise ten minutes away. */
    async connected(
      ref: DeviceRef,
      connect: { uuid: number; platform: string | null },
      { since }: Pick<Link, 'since'>,
    ): Promise<void> {
      last.set(nameOf(ref), connect.uuid);
      sessionBegan.set(nameOf(ref), since.getTime());
      const { known, after } = await look(async (tx) => {
        const taken = await take(tx, ref, connect.uuid);
        const cause = taken.after === 'push' ? 'device_reset' : 'device_changed';
        return { known: taken.known, after: connect.uuid > 0 ? await want(tx, ref, cause) : 'managed' };
      });
      if (known) await jobs.wake(ref.accountId, ref.serial);
      else fresh.add(nameOf(ref));
      if (after === 'wait') requests.start(ref, connect.platform);
    },

    changed: async (ref: DeviceRef): Promise<void> => {
      const after = await look((tx) => want(tx, ref, 'device_changed'));
      // a recovery system has nothing to report
      if (after === 'wait' && last.get(nameOf(ref))) requests.start(ref, null);
      if (after === 'settled') await jobs.wake(ref.accountId, ref.serial);
    },

    cycled: async (ref: DeviceRef): Promise<void> => {
      await look((tx) => want(tx, ref, 'port_cycled'));
    },

    disconnected(ref: DeviceRef): void {
      fresh.delete(nameOf(ref));
      requests.cancel(ref);
    },

    async reported(
      ref: DeviceRef,
      { uuid, powers, ports = [] }: Pick<ReportDigest, 'uuid' | 'powers' | 'ports'>,
      at: Date,
    ): Promise<void> {
      if (isOutdated(ref, at)) return;
      const name = nameOf(ref);
      await learnPorts(ref, ports);
      // first: settles a first document
      if (uuid) await hear(ref, uuid, at);
      if (!fresh.has(name)) requests.cancel(ref);
      else {
        const after = await look((tx) => want(tx, ref, 'device_joined', true));
        // insufficient: requested again
        if (after !== 'wait') {
          fresh.delete(name);
          requests.cancel(ref);
        }
        if (after === 'settled') await jobs.wake(ref.accountId, ref.serial);
      }
      if (uuid) {
        await learn(ref, uuid, new Map(powers));
        await watchSubnets(ref, uuid, at);
      }
    },

    async message(ref: DeviceRef, method: string, params: Readonly<Record<string, unknown>>, at: Date): Promise<void> {
      if (isOutdated(ref, at)) return;
      if (method === 'event') await hearTrial(ref, params);
      const uuid = telling.has(method) ? asCount(params.uuid) : null;
      if (uuid) await hear(ref, uuid, at);
    },
  };

  /** Excludes earlier sessions: the device may run another configuration since. */
  function isOutdated(ref: DeviceRef, at: Date): boolean {
    return at.getTime() < (sessionBegan.get(nameOf(ref)) ?? 0);
  }

  /** Handles commit-confirm events, in case the answer was lost. */
  async function hearTrial(ref: DeviceRef, params: Readonly<Record<string, unknown>>): Promise<void> {
    const word = readCommitConfirmReport(params, clock.now());
    if (!word) return;
    const over = await look(async (tx) => {
      const device = await fleetDevices.find(tx, ref.accountId, ref.serial, clock.now());
      if (!device || !(await readState(tx, ref)).known) return false;
      const session = await planner.openSession(tx, ref.accountId, [ref.serial]);
      const { state } = session.stateOf(ref.serial);
      const next = 'until' in word ? trying(state, word.uuid, word.until) : returned(state, word, device.firmware);
      if (next === state) return false;
      session.put(ref.serial, next);
      if (!('until' in word)) session.change(ref.serial, word.uuid, { outcome: 'rejected', rejected: [word.reason] });
      await session.close();
      return !('until' in word);
    });
    if (over) await jobs.wake(ref.accountId, ref.serial);
  }

  /** Treats 0 as "none", and as a recovery boot only in connect messages. */
  async function hear(ref: DeviceRef, uuid: number, at: Date): Promise<void> {
    if (last.get(nameOf(ref)) === uuid) return;
    const { after, outdated } = await look((tx) => take(tx, ref, uuid, at));
    if (!outdated) last.set(nameOf(ref), uuid);
    if (after === 'applied') await jobs.wake(ref.accountId, ref.serial);
  }
}
