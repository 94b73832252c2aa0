import { register } from './lib/client.ts';
import { withConsole } from './lib/console.ts';
import { type Asked, howMeasured, measureEndpoint } from './lib/endpoints.ts';
import { type Figure, record } from './results.ts';
import { seedBooks } from './statement/seed.ts';

/** `npx tsx bench/statement.ts [lines]`: statement and balance of an account with 1,000,000 bookings. */

const lines = Number(process.argv[2] ?? 1_000_000);
const path = '/api/v3/billing/transaction/list';
const firstPage = { p50: 100, p95: 100, crowded: 1000 };
const later = { p50: 1000, p95: 1000, crowded: 5000 };
const asked: readonly (Asked & { budget: typeof firstPage })[] = [
  { name: 'first page', path, body: { limit: 20 }, budget: firstPage },
  { name: 'first page, oldest first', path, body: { limit: 20, order: 'asc' }, budget: firstPage },
  { name: 'of one type', path, body: { limit: 20, type: 'other' }, budget: firstPage },
  { name: 'completed', path, body: { limit: 20, state: 'completed' }, budget: firstPage },
  { name: 'refunded', path, body: { limit: 20, state: 'refunded' }, budget: firstPage },
  { name: 'expired', path, body: { limit: 20, state: 'expired' }, budget: firstPage },
  { name: 'largest first', path, body: { limit: 20, sort: 'amount' }, budget: firstPage },
  {
    name: 'one type, smallest first',
    path,
    body: { limit: 20, type: 'income', sort: 'amount', order: 'asc' },
    budget: firstPage,
  },
  { name: 'page 500', path, body: { limit: 20, page: 500 }, budget: later },
  { name: 'balance', path: '/api/v3/billing/balance', body: {}, budget: firstPage },
];

await withConsole({ throwaway: true }, async ({ database, server, dataDir }) => {
  const asker = { url: server.url, serverPid: server.pid, databasePid: database.pid };
  const owner = await register(server.url, dataDir);
  await seedBooks(database.owner, owner.accountId, lines);
  const figures: Figure[] = [];
  for (const { budget, ...entry } of asked)
    figures.push(await measureEndpoint(asker, 'statement', owner, entry, budget));
  record('statement', figures, [
    `${howMeasured} ${lines.toLocaleString('en')} bookings of one account over a year, half of them by orders (1 % refunded), and 1,000 unpaid orders. Not measured: the sort by balance and the search, which read the whole journal.`,
  ]);
});
