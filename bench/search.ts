import { register } from './lib/client.ts';
import { withConsole } from './lib/console.ts';
import { type Asked, howMeasured, measureEndpoint } from './lib/endpoints.ts';
import { megabytes, ms, pause } from './lib/stats.ts';
import { seed } from './lists/seed.ts';
import { type Figure, record } from './results.ts';
import { insertThousand, seedClients, withoutInitials } from './search/clients.ts';

/**
 * `npx tsx bench/search.ts [devices] [clients] [accounts]`: global search by the owner of nine tenths of all devices
 * and clients, and of an ordinary account.
 */

const [devices = 100_000, clients = 1_000_000, accounts = 100] = process.argv.slice(2).map(Number);
const budget = { p50: 30, p95: 50, crowded: 150 };
/** Milliseconds to compute initials. */
const initialsWithin = 600_000;

const call = (name: string, keyword: string): Asked => ({ name, path: '/api/v3/search/query', body: { keyword } });
const asked: Asked[] = [
  call('name of a network', 'Site-0421'),
  call('Chinese, two characters', '西湖'),
  call('pinyin initials', 'xhs'),
  call('whole pinyin', 'xihu'),
  call('two letters', 'ap'),
  call('name of a device', 'AP-421-7'),
  call('model that a quarter of the devices have', 'EAP101'),
  call('serial, second half with colons', '00:42:1A'),
  call('client, four digits of a MAC address', '3:c4:a'),
  call('client, six digits of a MAC address', 'a1b2c3'),
  call('client, OUI that one in 40 has', 'c4ca42'),
  call('client, whole MAC address', 'c4:ca:42:38:a0:b9'),
  call('client, host name that one in 16 has', 'iphone'),
  call('client, beginning that a quarter have', 'android'),
  call('client, host name in Chinese', '收银'),
  call('client, address', '10.2.33.44'),
  call('client, /24', '10.2.33.0/24'),
  call('client, /17', '10.1.0.0/17'),
  call('client, portal account', '1380001'),
  call('log entry, a number of a network', 'Site-299'),
  call('nothing', 'no such thing anywhere'),
];

await withConsole({ throwaway: true }, async ({ database, server, dataDir }) => {
  const large = await register(server.url, dataDir);
  const usual = await register(server.url, dataDir);
  await seed(database.owner, { devices, accounts }, large.accountId, usual.accountId);
  const index = await seedClients(database.owner, large.accountId, clients);
  const deadline = Date.now() + initialsWithin;
  while ((await withoutInitials(database.owner)) > 0) {
    if (Date.now() > deadline) throw new Error('the initials were not computed');
    await pause(2000);
  }
  await database.owner.query('vacuum analyze search_entry');
  const asker = { url: server.url, serverPid: server.pid, databasePid: database.pid };
  const figures: Figure[] = [];
  for (const entry of asked) figures.push(await measureEndpoint(asker, 'large', large, entry, budget));
  for (const entry of asked.slice(0, 4)) figures.push(await measureEndpoint(asker, 'usual', usual, entry, budget));
  figures.push(
    { what: 'index: size', measured: megabytes(index.indexBytes) },
    { what: 'index: size of the entries', measured: megabytes(index.tableBytes) },
    { what: 'index: built anew', measured: ms(index.indexMs) },
    { what: 'writing 1,000 new clients', measured: ms(await insertThousand(database.owner, large.accountId)) },
  );
  record('search', figures, [
    `${howMeasured} Large: an account with nine tenths of ${devices} devices and ${clients} clients, a fifth of its clients online; usual: 90 devices and its share of the other clients.`,
  ]);
});
