import { sql } from 'kysely';
import type { Bus } from '../platform/bus/index.ts';
import type { Clock } from '../platform/clock.ts';
import { afterCommit, type Database, type Tx, tables } from '../platform/database/index.ts';
import type { Log } from '../platform/log.ts';
import { isSameFingerprint, matchFingerprint } from './device-fingerprint.ts';
import type { DeviceFingerprint, DeviceRef, FingerprintPair, UplinkHandlers } from './ports.ts';
import type { Refusal } from './refusals.ts';
import type { CertificateSharing, SessionContext } from './session-context.ts';
import { tellSession } from './subjects.ts';
import type { UplinkTables } from './tables.ts';

/** Alternating take-overs that prove two devices; moving causes one. */
const switchesOfTwo = 3;
/** Milliseconds between them; clients reconnect every 10 s. */
const switchWindow = 5 * 60_000;
/** Milliseconds of the first device's absence before the second is admitted. */
const firstGoneAfter = 10 * 60_000;
/** Milliseconds of the second's absence that end sharing; clients wait half an hour at most. */
const secondGoneAfter = 24 * 60 * 60_000;

export interface SharedCertificate extends FingerprintPair {
  since: Date;
  at: Date;
}

export interface SharingOptions {
  database: Database;
  bus: Bus;
  clock: Clock;
  log: Log;
  handlers: Pick<UplinkHandlers, 'shared'>;
}

const uplink = (tx: Tx) => tables<UplinkTables>(tx);

export function createCertificateSharing(options: SharingOptions): CertificateSharing {
  const { database, bus, clock, log, handlers } = options;

  async function note(tx: Tx, device: DeviceRef, from: DeviceFingerprint, by: DeviceFingerprint): Promise<void> {
    const at = clock.now();
    const row = await lockRow(tx, device);
    if (row?.held_since && at.getTime() - row.at.getTime() < secondGoneAfter) return;
    const next = row && !row.held_since && continues(row, from, by, at) ? row : null;
    const pair = next ? pairOf(next) : { first: from, second: by };
    const switches = (next?.switches ?? 0) + 1;
    const held = switches >= switchesOfTwo;
    await write(tx, device, pair, { switches, at, held_since: held ? at : null });
    if (!held) return;
    await handlers.shared(tx, device, pair, at);
    afterCommit(tx, () => tellSession(bus, device, { type: 'held-off', boxes: pair }));
  }

  async function verdict(
    device: DeviceRef,
    at: Date,
    which: (pair: FingerprintPair) => keyof FingerprintPair | null,
    sure: boolean,
  ) {
    return database.withSystem(async (tx) => {
      const row = await lockRow(tx, device);
      if (!row?.held_since || at.getTime() - row.at.getTime() >= secondGoneAfter) return null;
      const pair = pairOf(row);
      const { open, away } = await linkOf(tx, device, at);
      // unrecognised hardware: the present session stays
      const fingerprint = which(pair) ?? (open && sure ? 'second' : 'first');
      if (fingerprint === 'first') return null;
      if (!open && away >= firstGoneAfter) {
        if (sure) await deleteSharing(tx, device);
        return null;
      }
      await uplink(tx)
        .updateTable('shared_certificate')
        .set({ at })
        .where('account_id', '=', device.accountId)
        .where('serial', '=', device.serial)
        .execute();
      return pair;
    });
  }

  return {
    takenOver: (device, from, by) =>
      database
        .withSystem((tx) => note(tx, device, from, by))
        .catch((error: unknown) => log.error({ err: error, serial: device.serial }, 'take-over not noted')),
    admits: (device, fingerprint, at) => verdict(device, at, (pair) => matchFingerprint(fingerprint, pair), true),
    heldOffAt: (device, address, at) =>
      verdict(
        device,
        at,
        ({ first, second }) => (address === second.address && address !== first.address ? 'second' : 'first'),
        false,
      ),
  };
}

function continues(
  row: { first_box: DeviceFingerprint; second_box: DeviceFingerprint; switches: number; at: Date },
  from: DeviceFingerprint,
  by: DeviceFingerprint,
  at: Date,
): boolean {
  const back = row.switches % 2 === 1;
  const [holder, newDevice] = back ? [row.second_box, row.first_box] : [row.first_box, row.second_box];
  return (
    at.getTime() - row.at.getTime() < switchWindow &&
    isSameFingerprint(from, holder) &&
    isSameFingerprint(by, newDevice)
  );
}

const pairOf = (row: { first_box: DeviceFingerprint; second_box: DeviceFingerprint }): FingerprintPair => ({
  first: row.first_box,
  second: row.second_box,
});

function lockRow(tx: Tx, { accountId, serial }: DeviceRef) {
  return uplink(tx)
    .selectFrom('shared_certificate')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .forUpdate()
    .executeTakeFirst();
}

async function write(
  tx: Tx,
  { accountId, serial }: DeviceRef,
  { first, second }: FingerprintPair,
  state: { switches: number; at: Date; held_since: Date | null },
): Promise<void> {
  const row = { first_box: JSON.stringify(first) as never, second_box: JSON.stringify(second) as never, ...state };
  await uplink(tx)
    .insertInto('shared_certificate')
    .values({ account_id: accountId, serial, ...row })
    .onConflict((conflict) => conflict.columns(['account_id', 'serial']).doUpdateSet(row))
    .execute();
}

async function linkOf(tx: Tx, { accountId, serial }: DeviceRef, at: Date): Promise<{ open: boolean; away: number }> {
  const link = await uplink(tx)
    .selectFrom('device_link')
    .select(['connected_since', 'disconnected_at'])
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .executeTakeFirst();
  const gone = link?.disconnected_at ?? null;
  return {
    open: Boolean(link?.connected_since),
    away: gone ? at.getTime() - gone.getTime() : Number.POSITIVE_INFINITY,
  };
}

/** Returns null unless two devices share the certificate. */
export async function sharedCertificate(tx: Tx, device: DeviceRef, now: Date): Promise<SharedCertificate | null> {
  const row = await uplink(tx)
    .selectFrom('shared_certificate')
    .selectAll()
    .where('account_id', '=', device.accountId)
    .where('serial', '=', device.serial)
    .where('at', '>', new Date(now.getTime() - secondGoneAfter))
    .executeTakeFirst();
  return row?.held_since ? { ...pairOf(row), since: row.held_since, at: row.at } : null;
}

/** Covers all accounts, with the begin. */
export function sharedCertificates(tx: Tx, now: Date): Promise<(DeviceRef & { since: Date })[]> {
  return uplink(tx)
    .selectFrom('shared_certificate')
    .select(['account_id as accountId', 'serial', 'held_since as since'])
    .$narrowType<{ since: Date }>()
    .where('held_since', 'is not', null)
    .where('at', '>', new Date(now.getTime() - secondGoneAfter))
    .execute();
}

/** Gives the session to the second device. */
export async function swapFingerprints(
  tx: Tx,
  bus: Bus,
  device: DeviceRef,
  { first, second }: FingerprintPair,
): Promise<void> {
  await sql`
    update shared_certificate set first_box = second_box, second_box = first_box
    where account_id = ${device.accountId} and serial = ${device.serial}
  `.execute(tx);
  const fingerprints = { first: second, second: first };
  afterCommit(tx, () => tellSession(bus, device, { type: 'held-off', boxes: fingerprints }));
}

export async function deleteSharing(tx: Tx, { accountId, serial }: DeviceRef): Promise<void> {
  await uplink(tx)
    .deleteFrom('shared_certificate')
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .execute();
}

export function heldOff(serial: string, { first }: FingerprintPair): Pick<Refusal, 'serial' | 'reason' | 'detail'> {
  const holder = [first.address, first.mac, first.model].filter(Boolean).join(' ');
  return { serial, reason: 'certificate-shared', detail: holder };
}

/** Records a refusal if held off. */
export async function isHeldOff(
  { clock, refuse, sharing }: Pick<SessionContext, 'clock' | 'refuse' | 'sharing'>,
  { box: fingerprint, device }: { box: DeviceFingerprint; device: DeviceRef },
): Promise<boolean> {
  const fingerprints = await sharing.admits(device, fingerprint, clock.now());
  if (fingerprints) refuse({ address: fingerprint.address, ...heldOff(device.serial, fingerprints) });
  return fingerprints !== null;
}
