import { terminalEventOf } from '../extract/events.ts';
import { extract } from '../extract/index.ts';
import { applyItem, type Item, renewCapacity } from '../ingest/batch.ts';
import { countPlaced, findNear } from '../ingest/client-places.ts';
import type { Session, Share } from '../ingest/client-session.ts';
import { type Device, keyOf, newDevice } from '../ingest/devices.ts';
import { withoutEquipment } from '../ingest/equipment.ts';
import { writeEnded, writeOpen } from '../ingest/rows/sessions.ts';
import { nothingWritten, type Written } from '../ingest/rows/written.ts';
import { createPlaces, type Equipment } from './places.ts';
import { type EndedAt, nameRoaming, type OpenAt, uncountDuplicates } from './wireless.ts';

/** A message of a device that was not written when it came. */
export interface PastMessage {
  serial: string;
  /** Arrival, milliseconds. */
  at: number;
  method: string;
  params: Readonly<Record<string, unknown>>;
}

export interface PastSite extends Equipment {
  accountId: string;
  /** Beginning of the day, milliseconds. */
  fromMs: number;
  /** Another writer goes on with the sessions that are open at the end. */
  goesOn: boolean;
  quarters: boolean;
}

/** Milliseconds before yielding. */
const breath = 10;

/**
 * Counts a day of a site as ingest does, in memory. Devices begin unknown, so that days can be counted in any order: their
 * first reports are baselines. Sessions that are open at the end have rows without an end.
 */
export async function countDay(site: PastSite, moments: Iterable<readonly PastMessage[]>): Promise<Written> {
  const { accountId } = site;
  const out = nothingWritten();
  const devices = new Map<string, Device>();
  const ended: EndedAt[] = [];
  const places = createPlaces(site);
  const read = reader(accountId);

  function take(item: Item): void {
    const key = keyOf(item);
    const device = devices.get(key) ?? newDevice(accountId, item.serial, 1);
    devices.set(key, device);
    renewCapacity(device, item.at);
    const { clients, nearby } = withoutEquipment([item], (_account, mac) => site.owners.get(mac));
    const { found, asked } = findNear(clients, devices, nearby);
    places.look(asked);
    for (const placed of countPlaced(found, nearby)) applyItem(device, placed, () => null, out);
    places.note(device, item.report);
    for (const one of device.presence.ended.splice(0)) {
      ended.push({ serial: device.serial, session: one.session, ended: one });
      places.left(one);
    }
  }

  let began = performance.now();
  for (const moment of moments) {
    for (const message of moment) take(read(message));
    if (performance.now() - began < breath) continue;
    await new Promise((resolve) => setImmediate(resolve));
    began = performance.now();
  }
  const open = [...devices.values()].flatMap(({ serial, presence }) =>
    [...presence.open.values()].map((session): OpenAt => ({ serial, session })),
  );
  nameRoaming(ended, open);
  uncountDuplicates(ended, open);
  for (const { session } of open) countOnce(session, site, true);
  for (const { session } of ended) countOnce(session, site, false);
  const deviceOf = (serial: string) => devices.get(keyOf({ accountId, serial }))!;
  for (const { serial, ended: one } of ended) writeEnded(deviceOf(serial), one, out);
  for (const { serial, session } of open) writeOpen(deviceOf(serial), session, out);
  for (const { serial } of devices.values()) out.rows.in_device.push(onlyPlace(accountId, serial));
  return out;
}

function reader(accountId: string): (message: PastMessage) => Item {
  let id = 0;
  return ({ serial, at, method, params }) => {
    id += 1;
    const isReport = method === 'state';
    const report = isReport ? extract(params) : null;
    const event = isReport ? null : terminalEventOf(params);
    return { id, accountId, serial, epoch: 1, at, inflated: 0, report, event, raw: null };
  };
}

/** A session counts on the day on which it begins, or where it goes on. */
function countOnce(session: Session, { fromMs, goesOn, quarters }: PastSite, isOpen: boolean): void {
  if (session.startedAt < fromMs || (isOpen && goesOn)) for (const share of session.shares) share.sessions = 0;
  if (!quarters) session.shares = together(session.shares);
}

/** Shares of a session follow each other without a gap. */
function together(shares: readonly Share[]): Share[] {
  const [first, ...rest] = shares;
  if (!first) return [];
  const sum = { ...first };
  for (const share of rest) {
    sum.to = Math.max(sum.to, share.to);
    sum.down += share.down;
    sum.up += share.up;
    sum.rssiSum += share.rssiSum;
    sum.rssiN += share.rssiN;
    sum.sessions += share.sessions;
    sum.authenticated ||= share.authenticated;
  }
  return [sum];
}

const onlyPlace = (accountId: string, serial: string) => [accountId, serial, ...Array<null>(20).fill(null)];
