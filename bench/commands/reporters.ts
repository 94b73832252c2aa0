import { BenchDevice, enrolMany } from '../lib/device.ts';
import { type ReportFrame, reportFrames } from '../lib/report-frames.ts';
import { inParallel } from '../lib/stats.ts';
import { Comers } from '../soak/comers.ts';

interface Setup {
  url: string;
  bindingCodes: string[];
  devices: number;
  port?: number;
}

let rate = 0;
let events = 0;
let speed = 1;
let sent = 0;
let held = 0;
const tickMs = 10;
/** Bytes; above, a real device would drop the report too. */
const maxBuffered = 256 * 1024;

process.on('message', (message: { setup: Setup } | { rate: number; events?: number; speed?: number } | 'count') => {
  if (message === 'count') process.send?.({ sent, held });
  else if ('rate' in message) ({ rate, events = 0, speed = 1 } = message);
  else void setUp(message.setup).then((frameBytes) => process.send?.({ ready: true, frameBytes }));
});

async function setUp({ url, bindingCodes, devices, port }: Setup): Promise<number> {
  const identities = await enrolMany(url, bindingCodes, devices);
  const sessions = await inParallel(identities, 16, (identity) =>
    BenchDevice.open({ ...identity, port: port ?? identity.port }),
  );
  for (const session of sessions) session.sayConnect();
  const frames = reportFrames(identities.map(({ serial }) => serial));
  let next = 0;
  let owed = 0;
  let last = performance.now();
  const comers = sessions.map((session) => new Comers(session));
  let clock = Date.now();
  let turn = 0;
  let due = 0;
  setInterval(() => {
    const now = performance.now();
    clock += (now - last) * speed;
    due = Math.min(due + (events * (now - last)) / 1000, events);
    for (; due >= 1; due -= 1, turn = (turn + 1) % comers.length) comers[turn]?.next(Math.floor(clock / 1000));
    owed = Math.min(owed + (rate * (now - last)) / 1000, rate);
    last = now;
    for (; owed >= 1; owed -= 1, next = (next + 1) % sessions.length) {
      const { socket } = sessions[next] as BenchDevice;
      if (socket.writableLength > maxBuffered) held += 1;
      else {
        // a copy: the buffer is reused for the next report
        socket.write(Buffer.from((frames[next] as ReportFrame).next()));
        sent += 1;
      }
    }
  }, tickMs);
  return frames[0]?.bytes ?? 0;
}
