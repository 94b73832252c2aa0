import { type PowerSkip, peripheralPower } from '@yunxun/contract';
import { asRecord } from '@yunxun/contract/device';
import { type Acting, bySystem } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import type { Log } from '../../../platform/log.ts';
import { linkReports } from '../../../telemetry/read/index.ts';
import { fleetGateways, maintenance } from '../../fleet/index.ts';
import { portPlaces } from '../../topology/index.ts';
import {
  dropWaiting,
  isRecent,
  lastPlace,
  lockSwitch,
  lockWaiting,
  noteCycled,
  noteOutages,
  noteSkipped,
  type Place,
  portsDown,
  ruledMacs,
  savePlaces,
  settleCycles,
  type WaitingCycle,
  waitingCycles,
} from './store.ts';

export interface PowerDeps {
  database: Database;
  clock: Clock;
  log: Log;
  cyclePort(
    tx: Tx,
    acting: Acting,
    input: { serial: string; port: string },
    cause: { peripheral: string },
  ): Promise<{ job_id: string }>;
}

/** Milliseconds until other ports of the switch are known to be down: gateways probe each minute. */
const settleMs = 2 * 60_000;

export function createPower({ database, clock, log, cyclePort }: PowerDeps) {
  async function learnPlaces(): Promise<void> {
    const now = clock.now();
    for (const { accountId, gwid, devices } of await database.withSystem(ruledMacs))
      await database
        .withSystem(async (tx) => {
          const macs = new Set(devices.map(({ mac }) => mac));
          const places = await portPlaces(tx, { accountId, gwid, now, macs });
          const found = devices.flatMap(({ id, mac }) => {
            const place = places.get(mac);
            return place ? [{ id, mac, ...place }] : [];
          });
          await savePlaces(tx, accountId, found, now);
        })
        .catch((error: unknown) => log.warn({ err: error, gwid }, 'ports of peripheral devices not read'));
  }

  async function decide(waiting: WaitingCycle): Promise<void> {
    try {
      await database.withSystem((tx) => decideIn(tx, waiting));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const { reason } = asRecord<{ reason: unknown }>(error.data);
      const known = peripheralPower.powerSkips.find((one) => one === reason);
      const skip = error.code === 'deviceOffline' ? 'switch_offline' : (known ?? 'refused');
      await database.withSystem(async (tx) => noteSkipped(tx, waiting, skip, await lastPlace(tx, waiting)));
    }
  }

  async function decideIn(tx: Tx, waiting: WaitingCycle): Promise<void> {
    const { accountId, gwid, began } = waiting;
    if (!(await lockWaiting(tx, waiting))) return;
    if (waiting.ended) return dropWaiting(tx, waiting);
    const now = clock.now();
    const windows = await maintenance.windows(tx, accountId, new Map([[gwid, now]]), now);
    const gateway = (await fleetGateways.probing(tx, [gwid])).get(gwid);
    if (windows(gwid, now) !== null || !gateway?.online) return;
    const place = await lastPlace(tx, waiting);
    if (place === null) return noteSkipped(tx, waiting, 'unknown_port', null);
    await lockSwitch(tx, accountId, place.serial);
    const skip = await skipOf(tx, waiting, place, now);
    if (skip !== null) return noteSkipped(tx, waiting, skip, place);
    const { serial, port } = place;
    const cause = { peripheral: waiting.name };
    const { job_id: jobId } = await cyclePort(tx, bySystem(accountId), { serial, port }, cause);
    await noteCycled(tx, waiting, { serial, port, jobId, at: now });
    log.info({ accountId, serial, port, began }, 'PoE of a peripheral device restarted');
  }

  async function skipOf(
    tx: Tx,
    { accountId, began }: WaitingCycle,
    place: Place,
    now: Date,
  ): Promise<PowerSkip | null> {
    if ((await portsDown(tx, accountId, place.serial, began)) > peripheralPower.powerLimits.portsAtOnce) return 'many';
    if (await isRecent(tx, accountId, place, now)) return 'recent';
    const [report] = await linkReports(tx, accountId, [place.serial]);
    const others = [
      ...(report?.links.macs[place.port] ?? []),
      ...(report?.links.lldp ?? []).flatMap(({ port, mac, name }) => (port === place.port ? [mac ?? name] : [])),
    ];
    return others.some((mac) => mac !== place.mac) ? 'shared' : null;
  }

  return {
    async run(): Promise<void> {
      await learnPlaces();
      const now = clock.now();
      await database.withSystem((tx) => noteOutages(tx, now));
      await database.withSystem((tx) => settleCycles(tx, now));
      const waiting = await database.withSystem((tx) => waitingCycles(tx, new Date(now.getTime() - settleMs)));
      for (const one of waiting)
        await decide(one).catch((error: unknown) =>
          log.warn({ err: error, peripheral: one.id }, 'PoE of a peripheral device not restarted'),
        );
    },
  };
}
