import pg from 'pg';
import { BenchDevice, type Identity } from '../lib/device.ts';
import { type ReportFrame, reportFrames } from '../lib/report-frames.ts';
import { seedDevices } from '../lib/seeded-devices.ts';
import { pause } from '../lib/stats.ts';

interface Seed {
  databaseUrl: string;
  dataDir: string;
  accountIds: string[];
  count: number;
  port: number;
}

export interface Storm {
  failures: Record<string, number>;
  resumed: number;
}

/** Retry delay, in milliseconds. */
const again = 5000;

let identities: Identity[] = [];
let frames: ReportFrame[] = [];
const tickets: (Buffer | undefined)[] = [];
let devices: BenchDevice[] = [];

process.on('message', (message: { seed: Seed } | { storm: 'tickets' | 'no tickets' } | 'cut') => {
  if (message === 'cut') cut();
  else if ('seed' in message) void seed(message.seed);
  else void storm(message.storm === 'tickets').then((reported) => process.send?.(reported));
});

async function seed({ databaseUrl, ...options }: Seed): Promise<void> {
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  identities = await seedDevices({ owner, url: databaseUrl }, options);
  await owner.end();
  frames = reportFrames(identities.map(({ serial }) => serial));
  process.send?.({ ready: true });
}

async function storm(withTickets: boolean): Promise<Storm> {
  const failures: Record<string, number> = {};
  let resumed = 0;
  devices = await Promise.all(
    identities.map(async (identity, at) => {
      for (;;) {
        try {
          const device = await BenchDevice.open(identity, withTickets ? tickets[at] : undefined);
          if (device.socket.isSessionReused()) resumed += 1;
          device.sayConnect();
          device.socket.write(Buffer.from((frames[at] as ReportFrame).next()));
          return device;
        } catch (error) {
          const { code, message } = error as NodeJS.ErrnoException;
          const reason = code ?? message;
          failures[reason] = (failures[reason] ?? 0) + 1;
          await pause(again);
        }
      }
    }),
  );
  return { failures, resumed };
}

function cut(): void {
  for (const [at, device] of devices.entries()) {
    tickets[at] = device.ticket;
    device.cut();
  }
  process.send?.({ kept: tickets.filter((ticket) => ticket).length });
}
