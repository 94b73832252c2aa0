import { asRecord, macOfSerial } from '@yunxun/contract/device';
import type { Acting } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { enqueue } from '../../platform/jobs/index.ts';
import { type Presence, presences, stationFacts } from '../../telemetry/read/index.ts';
import {
  type DeviceCommands,
  DeviceError,
  DeviceOffline,
  type DeviceRef,
  DeviceTimeout,
  type UplinkHandlers,
} from '../../uplink/index.ts';
import type { JobRunner, Jobs, Outcome } from '../jobs/service.ts';
import { marksOf } from './store.ts';

export const kickJob = 'user_kick';
const lookTask = 'user-kick-look';

/** IEEE 802.11 reason 5: the access point cannot handle all its stations. Terminals take it for a reason to go elsewhere. */
const kickReason = 5;
/** A report that arrives sooner than this after the command may have been made before it, milliseconds. */
const onTheWayMs = 5000;
/** Between the command and the first look, and between two looks. */
const firstLookMs = 2000;
const lookAgainMs = 15_000;
/** Without a report for so long nobody knows whether the terminal left. */
const giveUpMs = 10 * 60_000;

/** An association, by what no later one has. */
interface Association {
  bssid: string;
  started_at: string;
}

/** What an item remembers. */
interface KickDetail {
  mac: string;
  /** When the access point was told, and whom it then had. */
  commanded_at?: string;
  associations?: readonly Association[];
}

export interface KickDeps {
  database: Database;
  bus: Bus;
  clock: Clock;
  jobs: Pick<Jobs, 'create' | 'register' | 'wake'>;
  commands: Pick<DeviceCommands, 'call'>;
}

export type Kicks = ReturnType<typeof createKicks>;

/**
 * Disconnects terminals, one item of a job each. Access points never answer the command: the item ends by what they then
 * report, a leave or a list without the terminal.
 */
export function createKicks({ database, bus, clock, jobs, commands }: KickDeps) {
  const run: JobRunner = async (item) => {
    const { mac, commanded_at, associations } = asRecord<KickDetail>(item.detail) as KickDetail;
    const ref = { accountId: item.account_id, serial: item.serial ?? '' };
    const places = await database.withSystem((tx) => presences(tx, ref.accountId, [mac]));
    if (commanded_at) return followUp(ref, mac, places, new Date(commanded_at), associations ?? []);
    const here = places.filter((place) => place.serial === ref.serial);
    if (here.length === 0) return { status: 'skipped', reason: 'job.user_gone' };
    const onAir = here.filter(({ band }) => band > 0);
    if (onAir.length === 0) return { status: 'failed', reason: 'job.user_wired' };
    const refused = await tell(ref, mac);
    if (refused) return refused;
    const at = clock.now();
    await lookLater(ref, firstLookMs);
    bus.publish(subjectOf(ref), {});
    return waiting(
      mac,
      at,
      onAir.map(({ bssid, started_at }) => ({ bssid, started_at: started_at.toISOString() })),
    );
  };
  jobs.register(kickJob, run);

  async function tell(ref: DeviceRef, mac: string): Promise<Outcome | null> {
    try {
      const action = { action: 'kick', addr: macOfSerial(mac), reason: kickReason } as const;
      await commands.call(ref, 'rrm', { actions: [action] });
      return null;
    } catch (error) {
      if (error instanceof DeviceOffline) return { status: 'skipped', reason: 'job.skipped_offline' };
      if (error instanceof DeviceTimeout) return { status: 'failed', reason: 'job.silent' };
      if (error instanceof DeviceError) return { status: 'failed', reason: error.message || 'job.refused' };
      throw error;
    }
  }

  async function followUp(
    ref: DeviceRef,
    mac: string,
    places: readonly Presence[],
    commanded: Date,
    associations: readonly Association[],
  ): Promise<Outcome> {
    const stayed = places.filter(
      (place) =>
        place.serial === ref.serial &&
        associations.some(
          ({ bssid, started_at }) => bssid === place.bssid && started_at === place.started_at.toISOString(),
        ),
    );
    if (stayed.length === 0) {
      const back = places.some(({ band, started_at }) => band > 0 && started_at >= commanded);
      return { status: 'succeeded', reason: back ? 'job.user_returned' : null };
    }
    const reported = stayed[0]?.reported_at?.getTime() ?? 0;
    if (reported >= commanded.getTime() + onTheWayMs) return { status: 'failed', reason: 'job.user_stayed' };
    if (clock.now().getTime() - commanded.getTime() >= giveUpMs) {
      return { status: 'failed', reason: 'job.user_unconfirmed' };
    }
    await lookLater(ref, lookAgainMs);
    return waiting(mac, commanded, associations);
  }

  async function lookLater({ accountId, serial }: DeviceRef, ms: number): Promise<void> {
    const options = { key: `${lookTask}:${accountId}.${serial}`, runAt: new Date(clock.now().getTime() + ms) };
    await database.withSystem((tx) => enqueue(tx, lookTask, { accountId, serial }, options));
  }

  return {
    /** A job that disconnects terminals from where they are now; those that are nowhere are skipped by it. @returns its id */
    async start(tx: Tx, acting: Acting, macs: readonly string[]): Promise<string> {
      const { accountId } = acting;
      const places = new Map<string, Presence>();
      for (const place of await presences(tx, accountId, macs)) {
        if (!places.has(place.mac)) places.set(place.mac, place);
      }
      const names = await namesOf(tx, accountId, macs);
      const items = macs.map((mac) => {
        const place = places.get(mac);
        const detail: KickDetail = { mac };
        return { ...(place ? { serial: place.serial, gwid: place.gwid } : {}), name: names(mac), detail };
      });
      return jobs.create(tx, acting, { type: kickJob, items });
    },

    /** Those of the terminals that are on the air, at an access point that is connected. */
    async present(tx: Tx, accountId: string, macs: readonly string[]): Promise<string[]> {
      const there = (await presences(tx, accountId, macs)).filter(({ band, connected }) => band > 0 && connected);
      return macs.filter((mac) => there.some((place) => place.mac === mac));
    },

    /**
     * The uplink's handlers with the part that looks at items as soon as their access point has reported. Kicks may be
     * given by another process: it says so on the bus.
     */
    joinHandlers(handlers: UplinkHandlers): UplinkHandlers {
      const watched = new Map<string, number>();
      bus.subscribe('users.*.*.kick', (_, subject) => {
        watched.set(subject, clock.now().getTime() + giveUpMs);
      });
      return {
        ...handlers,
        async reported(device, report, at) {
          await handlers.reported(device, report, at);
          const subject = subjectOf(device);
          const until = watched.get(subject);
          if (until === undefined) return;
          if (until < clock.now().getTime()) watched.delete(subject);
          await jobs.wake(device.accountId, device.serial);
        },
      };
    },

    tasks: {
      [lookTask]: ({ accountId, serial }: DeviceRef) => jobs.wake(accountId, serial),
    },
  };
}

const subjectOf = ({ accountId, serial }: DeviceRef) => `users.${accountId}.${serial}.kick`;

function waiting(mac: string, commanded: Date, associations: readonly Association[]): Outcome {
  const detail: KickDetail = { mac, commanded_at: commanded.toISOString(), associations };
  return { status: 'waiting_offline', reason: 'job.user_leaving', detail };
}

/** How a job calls terminals: by remark, host name or MAC. */
export async function namesOf(tx: Tx, accountId: string, macs: readonly string[]): Promise<(mac: string) => string> {
  const marks = await marksOf(tx, accountId, macs);
  const facts = await stationFacts(tx, accountId, { macs, gwids: null, day: '1970-01-01' });
  const hosts = new Map(facts.map(({ mac, hostname }) => [mac, hostname]));
  return (mac) => marks.get(mac)?.remark || hosts.get(mac) || macOfSerial(mac);
}
