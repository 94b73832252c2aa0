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
import type { JobRunner, Jobs, Outcome } from '../jobs/index.ts';
import { marksOf } from './store.ts';

export const kickJob = 'user_kick';
const recheckTask = 'user-kick-look';

/** IEEE 802.11 reason 5 (cannot handle all stations): clients move. */
const kickReason = 5;
/** Milliseconds a report may predate the command. */
const onTheWayMs = 5000;
/** Milliseconds to the first check and while a blocked client may return, and between other checks. */
const firstLookMs = 2000;
const lookAgainMs = 15_000;
/** Milliseconds that a blocked client has to stay away: it may return before the deny list is applied. */
const staysAwayMs = 10_000;
/** Maximum repeats while a blocked client returns before the deny list is applied. */
const maxDeniedKicks = 5;
/** Milliseconds; then unknown. */
const giveUpMs = 10 * 60_000;

interface Association {
  bssid: string;
  started_at: string;
}

interface KickDetail {
  mac: string;
  commanded_at?: string;
  associations?: readonly Association[];
  denied?: number;
  left_at?: string;
}

export interface KickReason {
  /** Repeat until they stay away. */
  denied: boolean;
  /** Networks; null: all. */
  scope: readonly string[] | null;
}

export interface KickDeps {
  database: Database;
  bus: Bus;
  clock: Clock;
  jobs: Pick<Jobs, 'create' | 'register' | 'wake'>;
  commands: Pick<DeviceCommands, 'call'>;
}

export type Kicks = ReturnType<typeof createKicks>;

/** Disconnects clients, an item each. Access points do not answer: a leave, or a list without the client, ends it. */
export function createKicks({ database, bus, clock, jobs, commands }: KickDeps) {
  const run: JobRunner = async (item) => {
    const detail = asRecord<KickDetail>(item.detail) as KickDetail;
    const { mac, commanded_at } = detail;
    const ref = { accountId: item.account_id, serial: item.serial ?? '' };
    const places = await database.withSystem((tx) => presences(tx, ref.accountId, [mac]));
    if (commanded_at) return followUp(ref, detail, places, new Date(commanded_at));
    return disconnect(ref, detail, places);
  };
  jobs.register(kickJob, run);

  async function disconnect(ref: DeviceRef, detail: KickDetail, places: readonly Presence[]): Promise<Outcome> {
    const { mac } = detail;
    const here = places.filter((place) => place.serial === ref.serial);
    if (here.length === 0) return { status: 'skipped', reason: 'job.user_gone' };
    const onAir = here.filter(({ band }) => band > 0);
    if (onAir.length === 0) return { status: 'failed', reason: 'job.user_wired' };
    const refused = await tell(ref, mac);
    if (refused) return refused;
    const at = clock.now();
    await lookLater(ref, firstLookMs);
    bus.publish(subjectOf(ref), {});
    return waiting({
      ...detail,
      commanded_at: at.toISOString(),
      associations: onAir.map(({ bssid, started_at }) => ({ bssid, started_at: started_at.toISOString() })),
      left_at: undefined,
    });
  }

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
    detail: KickDetail,
    places: readonly Presence[],
    commanded: Date,
  ): Promise<Outcome> {
    const { denied, associations = [], left_at } = detail;
    const stayed = places.filter(
      (place) =>
        place.serial === ref.serial &&
        associations.some(
          ({ bssid, started_at }) => bssid === place.bssid && started_at === place.started_at.toISOString(),
        ),
    );
    if (stayed.length === 0) {
      const back = places.some(({ band, started_at }) => band > 0 && started_at >= commanded);
      const here = places.some(({ serial, band }) => serial === ref.serial && band > 0);
      // deny lists do not affect associated clients
      if (denied !== undefined && here && denied < maxDeniedKicks)
        return disconnect(ref, { ...detail, denied: denied + 1 }, places);
      if (denied !== undefined && !staysAway(left_at)) {
        await lookLater(ref, firstLookMs);
        return waiting({ ...detail, left_at: left_at ?? clock.now().toISOString() });
      }
      return { status: 'succeeded', reason: back ? 'job.user_returned' : null };
    }
    const reported = stayed[0]?.reported_at?.getTime() ?? 0;
    if (reported >= commanded.getTime() + onTheWayMs) return { status: 'failed', reason: 'job.user_stayed' };
    if (clock.now().getTime() - commanded.getTime() >= giveUpMs) {
      return { status: 'failed', reason: 'job.user_unconfirmed' };
    }
    await lookLater(ref, lookAgainMs);
    return waiting(detail);
  }

  const staysAway = (leftAt: string | undefined) =>
    leftAt !== undefined && clock.now().getTime() - new Date(leftAt).getTime() >= staysAwayMs;

  async function lookLater({ accountId, serial }: DeviceRef, ms: number): Promise<void> {
    const options = { key: `${recheckTask}:${accountId}.${serial}`, runAt: new Date(clock.now().getTime() + ms) };
    await database.withSystem((tx) => enqueue(tx, recheckTask, { accountId, serial }, options));
  }

  return {
    /** @returns the job id */
    async start(
      tx: Tx,
      acting: Acting,
      macs: readonly string[],
      { denied, scope }: KickReason = { denied: false, scope: null },
    ): Promise<string> {
      const { accountId } = acting;
      const places = new Map<string, Presence>();
      for (const place of await presences(tx, accountId, macs)) {
        if (!places.has(place.mac) && isIn(scope, place)) places.set(place.mac, place);
      }
      const names = await namesOf(tx, accountId, macs);
      const items = macs.map((mac) => {
        const place = places.get(mac);
        const detail: KickDetail = { mac, ...(denied ? { denied: 0 } : {}) };
        return { ...(place ? { serial: place.serial, gwid: place.gwid } : {}), name: names(mac), detail };
      });
      return jobs.create(tx, acting, { type: kickJob, items });
    },

    /** Returns clients at online access points (null: any network). */
    async present(
      tx: Tx,
      accountId: string,
      macs: readonly string[],
      scope: readonly string[] | null,
    ): Promise<string[]> {
      const there = (await presences(tx, accountId, macs)).filter(
        (place) => place.band > 0 && place.connected && isIn(scope, place),
      );
      return macs.filter((mac) => there.some((place) => place.mac === mac));
    },

    async networksOf(tx: Tx, accountId: string, macs: readonly string[]): Promise<string[]> {
      const here = (await presences(tx, accountId, macs)).filter(({ connected }) => connected);
      const away = macs.filter((mac) => !here.some((place) => place.mac === mac));
      const last = await stationFacts(tx, accountId, { macs: away, gwids: null, day: '1970-01-01' });
      return [...new Set([...here, ...last].flatMap(({ gwid }) => gwid ?? []))];
    },

    /** Checks items on reports; the bus tells all nodes, any of which may receive them. */
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
      [recheckTask]: ({ accountId, serial }: DeviceRef) => jobs.wake(accountId, serial),
    },
  };
}

const isIn = (scope: readonly string[] | null, { gwid }: Presence) =>
  scope === null || (gwid !== null && scope.includes(gwid));

const subjectOf = ({ accountId, serial }: DeviceRef) => `users.${accountId}.${serial}.kick`;

function waiting(detail: KickDetail): Outcome {
  return { status: 'waiting_offline', reason: 'job.user_leaving', detail };
}

export async function namesOf(tx: Tx, accountId: string, macs: readonly string[]): Promise<(mac: string) => string> {
  const marks = await marksOf(tx, accountId, macs);
  const facts = await stationFacts(tx, accountId, { macs, gwids: null, day: '1970-01-01' });
  const hosts = new Map(facts.map(({ mac, hostname }) => [mac, hostname]));
  return (mac) => marks.get(mac)?.remark || hosts.get(mac) || macOfSerial(mac);
}
