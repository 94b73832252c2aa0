import { encodeFrame } from '../../packages/server/test/conformance/peer/websocket.ts';
import { workbench } from '../../packages/simulator/src/testing.ts';
import { BenchDevice, enrolMany } from '../lib/device.ts';
import { inParallel } from '../lib/stats.ts';

/**
 * Devices that report their state, in a process of their own. The frames are made once: making them is the work of
 * devices that would not stand on this machine.
 */

interface Setup {
  url: string;
  bindingCodes: string[];
  devices: number;
}

/** Frames a second; the tick sends its share. */
let rate = 0;
let sent = 0;
let held = 0;
const tickMs = 10;
/** A socket that holds more than this is not written to: a device would drop the report, too. */
const mostBuffered = 256 * 1024;

process.on('message', (message: { setup: Setup } | { rate: number } | 'count') => {
  if (message === 'count') process.send?.({ sent, held });
  else if ('rate' in message) rate = message.rate;
  else void setUp(message.setup).then((frameBytes) => process.send?.({ ready: true, frameBytes }));
});

async function setUp({ url, bindingCodes, devices }: Setup): Promise<number> {
  const identities = await enrolMany(url, bindingCodes, devices);
  const sessions = await inParallel(identities, 16, (identity) => BenchDevice.open(identity));
  for (const session of sessions) session.sayConnect();
  const bench = workbench({ aps: 4 });
  bench.pass(90);
  const reports = bench.boxes.map((box) => JSON.stringify(box.state(bench.clock.now())));
  const [state] = reports.toSorted((a, b) => b.length - a.length);
  const frames = identities.map(({ serial }) =>
    encodeFrame(`{"jsonrpc":"2.0","method":"state","params":{"serial":"${serial}","uuid":1,"state":${state}}}`),
  );
  let next = 0;
  let owed = 0;
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    owed = Math.min(owed + (rate * (now - last)) / 1000, rate);
    last = now;
    for (; owed >= 1; owed -= 1, next = (next + 1) % sessions.length) {
      const { socket } = sessions[next] as BenchDevice;
      if (socket.writableLength > mostBuffered) held += 1;
      else {
        socket.write(frames[next] as Buffer);
        sent += 1;
      }
    }
  }, tickMs);
  return frames[0]?.length ?? 0;
}
