import { sessionKey, settle } from './associations.ts';
import type { Presence, Session } from './client-session.ts';
import { certainValue, revocable } from './counter.ts';

/** MAC (6), absolute and revocable tx and rx (6 each). */
const entryBytes = 30;
const [txAt, rxAt, revocableTxAt, revocableRxAt] = [6, 12, 18, 24];
/** Per BSSID: its length (1 byte), number of entries (4). */
const headBytes = 5;
/** An interface name may replace the BSSID. */
const longest = 64;
/** Encodes unknown. */
const unsaid = 2 ** 48 - 1;

/** Packs counters of sessions whose rows are not written with the report at `at`; null if none. */
export function packAbsolutes(sessions: Iterable<Session>, at: number): Buffer | null {
  const byPlace = new Map<string, Session[]>();
  let bytes = 0;
  for (const session of sessions) {
    if (session.lastAt !== at || session.mac.length !== 2 * txAt || session.bssid.length > longest) continue;
    let place = byPlace.get(session.bssid);
    if (!place) {
      place = [];
      byPlace.set(session.bssid, place);
      bytes += headBytes + Buffer.byteLength(session.bssid);
    }
    place.push(session);
    bytes += entryBytes;
  }
  if (bytes === 0) return null;
  const packed = Buffer.allocUnsafe(bytes);
  let offset = 0;
  for (const [bssid, place] of byPlace) {
    const length = packed.write(bssid, offset + 1);
    packed.writeUInt8(length, offset);
    packed.writeUInt32BE(place.length, offset + 1 + length);
    offset += headBytes + length;
    for (const { mac, tx, rx } of place) {
      packed.write(mac, offset, 'hex');
      packed.writeUIntBE(Math.min(certainValue(tx) ?? unsaid, unsaid), offset + txAt, 6);
      packed.writeUIntBE(Math.min(certainValue(rx) ?? unsaid, unsaid), offset + rxAt, 6);
      packed.writeUIntBE(Math.min(revocable(tx), unsaid), offset + revocableTxAt, 6);
      packed.writeUIntBE(Math.min(revocable(rx), unsaid), offset + revocableRxAt, 6);
      offset += entryBytes;
    }
  }
  return packed;
}

/** Advances older session rows to the packed report at `at`, whose flow includes these bytes. */
export function settleAbsolutes(presence: Presence, packed: Buffer, at: number): void {
  const readAt = (offset: number) => {
    const value = packed.readUIntBE(offset, 6);
    return value === unsaid ? null : value;
  };
  for (let offset = 0; offset < packed.length; ) {
    const length = packed.readUInt8(offset);
    const bssid = packed.toString('utf8', offset + 1, offset + 1 + length);
    const entries = packed.readUInt32BE(offset + 1 + length);
    offset += headBytes + length;
    for (const end = offset + entries * entryBytes; offset < end; offset += entryBytes) {
      const session = presence.open.get(sessionKey(packed.toString('hex', offset, offset + txAt), bssid));
      if (session && session.lastAt < at) {
        const back = { tx: readAt(offset + revocableTxAt), rx: readAt(offset + revocableRxAt) };
        settle(presence, session, { tx: readAt(offset + txAt), rx: readAt(offset + rxAt), revocable: back }, at);
      }
    }
  }
  presence.carried.clear();
}
