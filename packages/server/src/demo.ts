import { setMaxListeners } from 'node:events';
import { type Fleet, startControl } from '@yunxun/simulator';
import { openAccounts } from './demo/accounts.ts';
import { openMemory } from './demo/memory.ts';
import { populate } from './demo/populate.ts';
import { tellStories } from './demo/stories/index.ts';
import { accounts } from './demo/world.ts';
import { type Config, ConfigError, readConfig } from './platform/config.ts';
import { runUntilSignal, type Started, start } from './start.ts';

await runUntilSignal(async () => {
  const isEmpty = readEmpty(process.argv.slice(2));
  const usual = isEmpty ? './data-demo-empty' : './data-demo';
  const config = withRemoteHost(readConfig({ ...process.env, YUNXUN_DATA: process.env.YUNXUN_DATA || usual }));
  refuseRealData(config);
  const { dataDir, publicUrl } = config;
  const file = openMemory(dataDir, isEmpty);
  const program = await start(config, { demo: true, quietTo: new Set(accounts.map(({ email }) => email)) });
  const { httpUrl: url } = program;
  if (isEmpty) return emptyDemo(program, () => openAccounts({ url, publicUrl, dataDir, isEmpty }, file));
  const fleets = new Map<string, Fleet>();
  const control = await startControl(() => [...fleets.values()]);
  const ending = new AbortController();
  const stopping = ending.signal;
  // each device and each shop of guests waits for it
  setMaxListeners(0, stopping);
  let living: Promise<void> = Promise.resolve();
  const stop = async () => {
    ending.abort();
    await living;
    await control.stop();
    // first, as its devices run on: the gap is the console's
    await program.stop();
    for (const fleet of fleets.values()) fleet.stop();
  };
  try {
    const owners = await openAccounts({ url, publicUrl, dataDir, isEmpty }, file);
    console.log(
      `Make a simulated device fail: curl -d '{"fault":"lose-link","seconds":60}' ${control.url}/devices/<serial>/fault`,
    );
    const live = async () => {
      const { past } = await populate({ program, dataDir, owners, fleets, file, stopping });
      await Promise.all([past, tellStories({ url, dataDir, program, owners, fleets, stopping, file })]);
    };
    living = live().catch((error) => {
      if (!stopping.aborted) console.error(error);
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
});

/** Browsers take `*.localhost` for this machine, and keep no cookies for all of `localhost` (docs/adr/0043). */
function withRemoteHost(config: Config): Config {
  const isHere = new URL(config.publicUrl).hostname === 'localhost';
  return config.remoteHost === null && isHere ? { ...config, remoteHost: 'remote.localhost' } : config;
}

/** @throws ConfigError for any other argument */
function readEmpty(args: readonly string[]): boolean {
  const other = args.find((arg) => arg !== '--empty');
  if (other !== undefined) throw new ConfigError(`The demo takes --empty (accounts and nothing else), not "${other}".`);
  return args.length > 0;
}

async function emptyDemo({ stop }: Started, open: () => Promise<unknown>): Promise<{ stop(): Promise<void> }> {
  try {
    await open();
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

/** @throws ConfigError unless the demo has its own database and data folder */
function refuseRealData(config: Config): void {
  if (config.databaseUrl)
    throw new ConfigError('The demo keeps its own database: start it without YUNXUN_DATABASE_URL.');
  if (config.dataDir === readConfig({}).dataDir) {
    throw new ConfigError(
      'The demo does not write into ./data, where npm start keeps real data: choose another YUNXUN_DATA.',
    );
  }
}
