import { createSocket } from 'node:dgram';
import { isIPv4, isIPv6 } from 'node:net';
import { macOfSerial } from '@yunxun/contract/device';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import { exchangeRadius } from '../../uplink/index.ts';
import { encodeDisconnect, isAnswerTo } from './authenticators.ts';
import { attribute } from './dictionary.ts';
import type { Nas } from './nas.ts';
import type { NasIndex } from './nas-index.ts';
import { type Attribute, codes, decodePacket, type Packet } from './packet.ts';
import { findOpenSession } from './session-store.ts';
import type { SessionTable } from './tables.ts';

export type DisconnectOutcome = 'acknowledged' | 'refused' | 'unreachable';

export interface DisconnectDeps {
  database: Database;
  clock: Clock;
  bus: Bus;
  index: NasIndex;
  /** Milliseconds per packet. */
  waitMs?: number;
}

/** RFC 5080: retransmissions keep identifier and packet. */
const tries = 3;

/** Ends a guest's session on its gateway (RFC 5176). */
export function createDisconnect(deps: DisconnectDeps) {
  const { database, clock, bus, index, waitMs = 2000 } = deps;
  let last = 0;

  /** Returns `unreachable` without an open session, an answer, or proof of the secret. */
  return async function disconnect(accountId: string, gwid: string, acctSessionId: string): Promise<DisconnectOutcome> {
    const session = await findOpenSession(database, { accountId, gwid, acctSessionId });
    if (!session) return 'unreachable';
    const nas = await index.byId(session.nas_id);
    if (!nas) return 'unreachable';
    last = (last + 1) % 256;
    // another call may precede the answer
    const identifier = last;
    const request = encodeDisconnect(identifier, attributesOf(session, nas, clock.now()), nas.secret);
    const isAnswer = (data: Buffer) => readAnswer(data, identifier, request.authenticator, nas.secret);
    const { serial, address } = session;
    const answer = serial
      ? await overDevice(bus, { accountId, serial }, request.bytes, isAnswer, waitMs)
      : await overUdp({ address: address!, port: nas.coaPort }, request.bytes, isAnswer, waitMs);
    if (!answer) return 'unreachable';
    return answer.code === codes.disconnectAck ? 'acknowledged' : 'refused';
  };
}

export type Disconnect = ReturnType<typeof createDisconnect>;

/**
 * Names the guest of an access point by the MAC alone: its hostapd takes the request, which knows neither session nor
 * user of the portal beside it, and refuses one that it cannot match.
 */
function attributesOf(session: SessionTable, nas: Nas, now: Date): Attribute[] {
  const { username, mac, ip, serial } = session;
  const at = attribute('Event-Timestamp', now.getTime() / 1000);
  const station = mac ? [attribute('Calling-Station-Id', macOfSerial(mac).replaceAll(':', '-').toUpperCase())] : [];
  if (serial && mac) return [at, ...station];
  return [
    at,
    attribute('Acct-Session-Id', session.session_id),
    ...(username ? [attribute('User-Name', username)] : []),
    ...station,
    ...(ip && isIPv4(ip) ? [attribute('Framed-IP-Address', ip)] : []),
    ...(nas.identifier ? [attribute('NAS-Identifier', nas.identifier)] : []),
  ];
}

function readAnswer(data: Buffer, identifier: number, authenticator: Buffer, secret: Buffer): Packet | null {
  try {
    const answer = decodePacket(data);
    const isOurs = answer.identifier === identifier && isAnswerTo(authenticator, answer, secret);
    return isOurs && (answer.code === codes.disconnectAck || answer.code === codes.disconnectNak) ? answer : null;
  } catch {
    return null;
  }
}

type ReadAnswer = (data: Buffer) => Packet | null;

function overUdp(
  to: { address: string; port: number },
  bytes: Buffer,
  read: ReadAnswer,
  waitMs: number,
): Promise<Packet | null> {
  const socket = createSocket(isIPv6(to.address) ? 'udp6' : 'udp4');
  return new Promise((resolve) => {
    let left = tries;
    const done = (answer: Packet | null) => {
      clearInterval(timer);
      socket.removeAllListeners('message');
      socket.close();
      resolve(answer);
    };
    const send = () => {
      if (left === 0) return done(null);
      left -= 1;
      socket.send(bytes, to.port, to.address, () => undefined);
    };
    const timer = setInterval(send, waitMs);
    socket.on('error', () => undefined);
    socket.on('message', (data) => {
      const answer = read(data);
      if (answer) done(answer);
    });
    send();
  });
}

async function overDevice(
  bus: Bus,
  device: { accountId: string; serial: string },
  bytes: Buffer,
  read: ReadAnswer,
  waitMs: number,
): Promise<Packet | null> {
  const answer = await exchangeRadius(bus, device, bytes, waitMs * tries);
  return answer && read(answer);
}
