import type { Seed } from '@yunxun/contract';
import { buildCatalogue, makeKey, packArchive, publicKeyOf } from '../../plugins/pack.ts';
import { insertSdwanGateway } from './seed-sdwan.ts';
import type { Registered, TestServer } from './server.ts';

const { pem } = makeKey();
const metrics = new URL('../../plugins/metrics', import.meta.url).pathname;
export const metricsCatalogue = packArchive(buildCatalogue([metrics], 'Publisher', pem)).toString('base64');
const agent = { agent: '9.0.0', arch: 'x64', abilities: { plugins: true }, missing: [] };

/** The catalogue belongs to the installation: it is made as an administrator's import makes it. */
export async function makePlugin(server: TestServer, owner: Registered): Promise<Pick<Seed, 'plugin'>> {
  const { systemPool } = server.db.database;
  const key = publicKeyOf(pem);
  const spareKey = makeKey().key;
  const trust = `insert into plugin_publisher values ($1, 'Publisher', 'test', now()) on conflict do nothing`;
  await systemPool.query(trust, [key]);
  await systemPool.query(trust, [spareKey]);
  const [entry] = JSON.parse(String(buildCatalogue([metrics], 'Publisher', pem)['catalogue.json'])).plugins;
  await systemPool.query('insert into plugin values ($1, $2, $3, now()) on conflict do nothing', [
    entry.id,
    key,
    JSON.stringify({ ...entry, versions: undefined }),
  ]);
  const { version, arch, min_agent, size, sha256, signature } = entry.versions[0];
  await systemPool.query(
    `insert into plugin_package values ('metrics', $1, $2, $3, $4, $5, $6, '') on conflict do nothing`,
    [version, arch, min_agent, size, sha256, signature],
  );
  const serials: string[] = [];
  for (const at of [11, 12]) {
    const { serial } = await insertSdwanGateway(server, owner, at);
    await systemPool.query(
      `update device set capabilities = capabilities || jsonb_build_object('yunxun', $3::jsonb)
       where account_id = $1 and serial = $2`,
      [owner.accountId, serial, JSON.stringify(agent)],
    );
    serials.push(serial);
  }
  const [serial = '', installedSerial = ''] = serials;
  await systemPool.query(
    `insert into plugin_install (account_id, serial, plugin_id, version, settings, desired, reported_version, state, log, changed_at)
     values ($1, $2, 'metrics', $3, '{}', 'present', $3, 'running', '{}', now())`,
    [owner.accountId, installedSerial, version],
  );
  const made = { key: makeKey().key, spareKey, catalogue: metricsCatalogue };
  return { plugin: { id: entry.id, serial, installedSerial, ...made } };
}
