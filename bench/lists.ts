import { register } from './lib/client.ts';
import { withConsole } from './lib/console.ts';
import { type Asked, howMeasured, measureEndpoint } from './lib/endpoints.ts';
import { seed } from './lists/seed.ts';
import { type Figure, record } from './results.ts';

/**
 * `npx tsx bench/lists.ts [devices] [accounts]`: list endpoints at 100,000 devices in 1,000 accounts, for the largest
 * (a tenth of them) and an ordinary one.
 */

const devices = Number(process.argv[2] ?? 100_000);
const accounts = Number(process.argv[3] ?? 1000);

const asked: Asked[] = [
  { name: 'network/list', path: '/api/v3/network/list', body: { page: 1, limit: 50 } },
  { name: 'network/list, by status', path: '/api/v3/network/list', body: { sort: 'status', limit: 50 } },
  { name: 'network/list, offline only', path: '/api/v3/network/list', body: { status: 'offline', limit: 50 } },
  { name: 'network/list, keyword', path: '/api/v3/network/list', body: { keyword: 'Site-00', limit: 50 } },
  { name: 'ap/list', path: '/api/v3/ap/list', body: { page: 1, limit: 50 } },
  { name: 'ap/list, last page', path: '/api/v3/ap/list', body: { page: 140, limit: 50 } },
  { name: 'ap/list, by terminals', path: '/api/v3/ap/list', body: { sort: 'online_user', order: 'desc', limit: 50 } },
  { name: 'ap/list, keyword', path: '/api/v3/ap/list', body: { keyword: 'EAP101', limit: 50 } },
  { name: 'device/waiting/list', path: '/api/v3/device/waiting/list', body: { limit: 50 } },
  { name: 'job/list', path: '/api/v3/job/list', body: { limit: 50 } },
  { name: 'log/action/list', path: '/api/v3/log/action/list', body: { limit: 50 } },
  { name: 'log/action/list, one object', path: '/api/v3/log/action/list', body: { object_id: 'object-7', limit: 50 } },
  { name: 'overview/attention', path: '/api/v3/overview/attention', body: {} },
  { name: 'overview/strip', path: '/api/v3/overview/strip', body: {} },
  { name: 'overview/tiles', path: '/api/v3/overview/tiles', body: {} },
  { name: 'overview/problems', path: '/api/v3/overview/problems', body: {} },
];

await withConsole({}, async ({ database, server, dataDir }) => {
  const asker = { url: server.url, serverPid: server.pid, databasePid: database.pid };
  const large = await register(server.url, dataDir);
  const usual = await register(server.url, dataDir);
  const began = performance.now();
  await seed(database.owner, { devices, accounts }, large.accountId, usual.accountId);
  console.log(`seeded in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  const figures: Figure[] = [];
  for (const [accountKind, owner] of [
    ['large', large],
    ['usual', usual],
  ] as const)
    for (const entry of asked) figures.push(await measureEndpoint(asker, accountKind, owner, entry));
  record('lists', figures, [
    `${howMeasured} Large: an account with a tenth of all devices in a thousand networks, 1,000 jobs, 20,000 log rows. Usual: 90 devices in 9 networks.`,
  ]);
});
