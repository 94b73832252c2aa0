import type { Presence, Session } from './session.ts';
import { placeOf, settle } from './stations.ts';

/** Bytes of an entry: the MAC, and the absolute bytes to and from it. */
const entryBytes = 18;
const [txAt, rxAt] = [6, 12];
/** Before the entries of a place, beside its BSSID: the length of that, and their number. */
const headBytes = 5;
/** A BSSID is a MAC, or the name of an interface. */
const longest = 64;
/** Says that nothing is known; more bytes than that are not said either. */
const unsaid = 2 ** 48 - 1;

/**
 * The absolutes of the sessions that the report at `at` showed and whose totals are not written with it, place by place: the
 * length of the BSSID, itself, the number of entries, the entries. Null where there are none.
 */
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
    for (const { mac, absTx, absRx } of place) {
      packed.write(mac, offset, 'hex');
      packed.writeUIntBE(Math.min(absTx ?? unsaid, unsaid), offset + txAt, 6);
      packed.writeUIntBE(Math.min(absRx ?? unsaid, unsaid), offset + rxAt, 6);
      offset += entryBytes;
    }
  }
  return packed;
}

/** Counts sessions, as their rows have them, on to what the report at `at` said of them. */
export function settleAbsolutes(presence: Presence, packed: Buffer, at: number): void {
  const said = (offset: number) => {
    const value = packed.readUIntBE(offset, 6);
    return value === unsaid ? null : value;
  };
  for (let offset = 0; offset < packed.length; ) {
    const length = packed.readUInt8(offset);
    const bssid = packed.toString('utf8', offset + 1, offset + 1 + length);
    const entries = packed.readUInt32BE(offset + 1 + length);
    offset += headBytes + length;
    for (const end = offset + entries * entryBytes; offset < end; offset += entryBytes) {
      const session = presence.open.get(placeOf(packed.toString('hex', offset, offset + txAt), bssid));
      // what was written later knows it already
      if (session && session.lastAt < at)
        settle(presence, session, { tx: said(offset + txAt), rx: said(offset + rxAt) }, at);
    }
  }
}
