import { startPostgres } from '../index.ts';

export interface Order {
  dataDir: string;
  systemDir: string;
  umask?: number;
  /** Exits without stopping the server once it runs. */
  crash?: boolean;
}

// a process that tests can start as another user and kill
const order = JSON.parse(process.argv[2]!) as Order;
if (order.umask !== undefined) process.umask(order.umask);
const say = (message: unknown) => process.stdout.write(`${JSON.stringify(message)}\n`);
const quiet = () => undefined;
try {
  const postgres = await startPostgres({
    dataDir: order.dataDir,
    systemDir: order.systemDir,
    throwaway: true,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  });
  process.on('SIGTERM', async () => {
    await postgres.stop();
    process.exit(0);
  });
  say({ ready: { owner: postgres.owner, pid: postgres.pid, clusterDir: postgres.clusterDir } });
  if (order.crash) throw new Error('a crash that the test asked for');
  setInterval(quiet, 60_000);
} catch (error) {
  say({ failed: (error as Error).message });
  process.exit(1);
}
