import { asCount } from '@yunxun/contract/device';
import { LRUCache } from 'lru-cache';
import { bySystem } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import { againOnDeadlock } from '../../platform/database/deadlock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import type { DeviceRef, ReportDigest } from '../../uplink/index.ts';
import { findDevice, type ManagedDevice } from '../fleet/managed-devices.ts';
import type { Jobs } from '../jobs/service.ts';
import { takesGatewaySettings } from './gateway-facts.ts';
import { readGateway } from './gateway-store.ts';
import { readLayersOf } from './layers/reader.ts';
import type { Planner, Wish } from './planner.ts';
import { reachShown } from './reach.ts';
import { raiseReach } from './reach-store.ts';
import type { Rollout } from './rollout.ts';
import { type AfterReport, reported, returned, trying } from './transitions.ts';
import { trialWord } from './trial.ts';
import { readDocument, readState } from './version-store.ts';

/** Messages besides reports in which an access point says which configuration it runs. */
const telling: ReadonlySet<string> = new Set(['healthcheck', 'ping']);

export interface ReportDeps {
  database: Database;
  clock: Clock;
  keys: AccountKeys;
  planner: Planner;
  rollout: Rollout;
  jobs: Pick<Jobs, 'wake'>;
  /** A device's latest state report, null before the first. */
  latestState(tx: Tx, device: DeviceRef): Promise<{ at: Date } | null>;
}

const nameOf = ({ accountId, serial }: DeviceRef) => `${accountId}.${serial}`;

/** What configuration makes of the devices' own words. */
export function createReports({ database, clock, keys, planner, rollout, jobs, latestState }: ReportDeps) {
  /** The last number that each device said; the database is asked only when it is another. */
  const last = new LRUCache<string, number>({ max: 50_000 });
  /** Under which number each device last reported which powers of its radios. */
  const heard = new LRUCache<string, string>({ max: 50_000 });
  /** Devices whose next report is looked at: it shows whether they route. */
  const fresh = new Set<string>();
  /** Takes a device's word for which configuration it runs. */
  async function take(
    tx: Tx,
    ref: DeviceRef,
    uuid: number,
    report = false,
  ): Promise<{ after: AfterReport; known: boolean }> {
    const device = await findDevice(tx, ref.accountId, ref.serial, clock.now());
    // the reports of a switch name what it was last sent, whether it took it or not
    if (!device || (report && device.kind === 'switch')) return { after: 'nothing', known: false };
    if (!(await readState(tx, ref)).known) return { after: 'nothing', known: false };
    const desk = await planner.desk(tx, ref.accountId, [ref.serial]);
    const { state, known } = desk.standing(ref.serial);
    const { state: next, after } = reported(state, uuid);
    desk.put(ref.serial, next);
    if (after === 'applied') desk.change(ref.serial, uuid, { outcome: 'applied' });
    await desk.close();
    return { after, known };
  }

  /**
   * Wants the document that is right for the device now; a device that nobody configured is left as it is. `shown`: this
   * is about its report, which is committed.
   */
  async function want(tx: Tx, ref: DeviceRef, cause: Wish['cause'], shown = false): Promise<void> {
    const device = await findDevice(tx, ref.accountId, ref.serial, clock.now());
    if (!device) return;
    if (!(await readState(tx, ref)).known) {
      // the first report of a session shows whether it routes: what it is given before might cut off those behind it
      if (!(await isConfigured(tx, device))) return;
      if (!shown && !(await hasReported(tx, device))) {
        fresh.add(nameOf(ref));
        return;
      }
    }
    await rollout.startIfNeeded(tx, bySystem(ref.accountId), ref.serial, { cause, author: 'system' });
  }

  /** What takes the state of a device, and then perhaps its template, which a turn that gives templates takes first. */
  const look = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => againOnDeadlock(() => database.withSystem(work));

  /** Whether there are settings above its own, or of its network's gateway, that are about it. */
  async function isConfigured(tx: Tx, device: ManagedDevice): Promise<boolean> {
    const { accountId, gwid } = device;
    const layersOf = await readLayersOf(tx, keys, accountId, [device]);
    if (layersOf(device).length > 0) return true;
    return gwid !== null && takesGatewaySettings(device) && (await readGateway(tx, accountId, gwid)).version > 0;
  }

  /** Whether it has reported in its present session, wherever that is held; what it said before nobody may have heard. */
  async function hasReported(tx: Tx, { onlineSince, ...device }: ManagedDevice): Promise<boolean> {
    const latest = onlineSince && (await latestState(tx, device));
    return latest !== null && latest.at >= onlineSince!;
  }

  /** Learns from a report what the radios reach. */
  async function learn(ref: DeviceRef, uuid: number, powers: ReadonlyMap<string, number>): Promise<void> {
    const said = `${uuid} ${[...powers].join(' ')}`;
    if (powers.size === 0 || heard.get(nameOf(ref)) === said) return;
    await database.withSystem(async (tx) => {
      const { state: stand, known } = await readState(tx, ref);
      // another number may be about to become the active one
      if (known && stand.active_uuid !== uuid) return;
      const document = known ? await readDocument(tx, keys, ref, uuid) : null;
      if (document) await raiseReach(tx, ref, reachShown(powers, document));
      heard.set(nameOf(ref), said);
    });
  }

  return {
    /**
     * A session began and the fleet has taken note of it. A device that was away gets what it missed; one that is new to
     * a configured network gets its configuration when its first report has shown whether it routes.
     */
    async connected(ref: DeviceRef, connect: { uuid: number }): Promise<void> {
      last.set(nameOf(ref), connect.uuid);
      const known = await look(async (tx) => {
        const taken = await take(tx, ref, connect.uuid);
        if (connect.uuid > 0) await want(tx, ref, taken.after === 'push' ? 'device_reset' : 'device_changed');
        return taken.known;
      });
      if (known) await jobs.wake(ref.accountId, ref.serial);
      else fresh.add(nameOf(ref));
    },

    /** The fleet says that a device was renamed, moved, or is something else now. */
    changed: (ref: DeviceRef): Promise<void> => look((tx) => want(tx, ref, 'device_changed')),

    disconnected(ref: DeviceRef): void {
      fresh.delete(nameOf(ref));
    },

    /** A report is committed; after the fleet has taken note of it. */
    async reported(ref: DeviceRef, { uuid, powers }: Pick<ReportDigest, 'uuid' | 'powers'>): Promise<void> {
      const name = nameOf(ref);
      if (fresh.has(name)) {
        await look((tx) => want(tx, ref, 'device_joined', true));
        fresh.delete(name);
      }
      if (!uuid) return;
      await hear(ref, uuid);
      await learn(ref, uuid, new Map(powers));
    },

    /** Any other message of the device; likewise. */
    async message(ref: DeviceRef, method: string, params: Readonly<Record<string, unknown>>): Promise<void> {
      if (method === 'event') await hearTrial(ref, params);
      const uuid = telling.has(method) ? asCount(params.uuid) : null;
      if (uuid) await hear(ref, uuid);
    },
  };

  /** Our own agent says that it tries a configuration out, and, in case its answer is lost, that it has taken one back. */
  async function hearTrial(ref: DeviceRef, params: Readonly<Record<string, unknown>>): Promise<void> {
    const word = trialWord(params, clock.now());
    if (!word) return;
    const over = await look(async (tx) => {
      const device = await findDevice(tx, ref.accountId, ref.serial, clock.now());
      if (!device || !(await readState(tx, ref)).known) return false;
      const desk = await planner.desk(tx, ref.accountId, [ref.serial]);
      const { state } = desk.standing(ref.serial);
      const next = 'until' in word ? trying(state, word.uuid, word.until) : returned(state, word, device.firmware);
      if (next === state) return false;
      desk.put(ref.serial, next);
      if (!('until' in word)) desk.change(ref.serial, word.uuid, { outcome: 'rejected', rejected: [word.reason] });
      await desk.close();
      return !('until' in word);
    });
    if (over) await jobs.wake(ref.accountId, ref.serial);
  }

  /** A report names a configuration; 0 is "none" here, and only a connect message with 0 means a recovery boot. */
  async function hear(ref: DeviceRef, uuid: number): Promise<void> {
    if (last.get(nameOf(ref)) === uuid) return;
    const { after } = await look((tx) => take(tx, ref, uuid, true));
    last.set(nameOf(ref), uuid);
    if (after === 'applied') await jobs.wake(ref.accountId, ref.serial);
  }
}
