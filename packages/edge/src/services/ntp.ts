import { createSocket } from 'node:dgram';
import type { Place, ServedService } from './service.ts';

/** RFC 5905, section 7.3. */
const packetBytes = 48;
const [clientMode, serverMode] = [3, 4];
/** Clients prefer any better server. */
const stratum = 10;
/** About a millisecond. */
const precision = -10;
/** 0.1 s, in 16.16 bits. */
const dispersion = 6554;
/** Local clock. */
const reference = [127, 127, 1, 1] as const;
/** Seconds from 1900 to 1970. */
const era = 2_208_988_800;
/** In a second. */
const maxAnswers = 500;

/** Needs no daemon: AppArmor allows chronyd no files of the agent's user. */
export const ntp: ServedService = {
  opens: () => ({ protocol: 'udp', port: 123 }),
  dhcpOption: 'ntp-server',
  serve({ address, port, clock, isClockSet, failed }: Place) {
    const socket = createSocket('udp4');
    let [second, answers] = [0, 0];
    socket.on('error', failed);
    socket.on('message', (request, { address: client, port: from }) => {
      const received = clock.now();
      const now = Math.floor(received / 1000);
      if (now !== second) [second, answers] = [now, 0];
      if (answers >= maxAnswers || !isClockSet()) return;
      const reply = answerTo(request, received, () => clock.now());
      if (reply === null) return;
      answers += 1;
      socket.send(reply, from, client, () => {});
    });
    socket.bind(port, address);
    return { close: () => void socket.close() };
  },
};

/** Returns null for what no client sends. Times: Unix milliseconds. */
export function answerTo(request: Buffer, received: number, now: () => number): Buffer | null {
  if (request.length < packetBytes) return null;
  const [first = 0, , poll = 0] = request;
  const version = (first >> 3) & 7;
  if ((first & 7) !== clientMode || version < 1 || version > 4) return null;
  const reply = Buffer.alloc(packetBytes);
  reply[0] = (version << 3) | serverMode;
  reply[1] = stratum;
  reply[2] = poll;
  reply.writeInt8(precision, 3);
  reply.writeUInt32BE(dispersion, 8);
  reply.set(reference, 12);
  writeTime(reply, 16, received);
  request.copy(reply, 24, 40, packetBytes);
  writeTime(reply, 32, received);
  writeTime(reply, 40, now());
  return reply;
}

function writeTime(packet: Buffer, at: number, time: number): void {
  const seconds = Math.floor(time / 1000);
  packet.writeUInt32BE((seconds + era) % 2 ** 32, at);
  packet.writeUInt32BE(Math.floor(((time - seconds * 1000) / 1000) * 2 ** 32), at + 4);
}
