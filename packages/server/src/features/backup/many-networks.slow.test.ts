import { afterAll, beforeAll, expect, it } from 'vitest';
import { fixture, ssid, startFixture, stopFixture } from '../configuration/testing/fixture.ts';
import type { Listed, Row } from './testing/calls.ts';

beforeAll(startFixture);
afterAll(stopFixture);

it('backups are found by a word, however many networks say it', async () => {
  const owner = await fixture.server.register();
  const of = <T>(path: string, body: object) => fixture.server.call<T>(path, body, owner);
  const { gwid } = (await of<{ gwid: string }>('/api/v3/network/create', { remark: 'Chain-last' })).data;
  await of('/api/v3/network/wireless/save', { gwid, version: 0, ssids: [ssid('Lobby')], radios: [] });
  await of('/api/v3/cloud_backup/create', { gwids: [gwid] });
  await fixture.server.db.database.systemPool.query(
    `insert into network select (jsonb_populate_record(n, jsonb_build_object('gwid', gen_random_uuid(), 'remark', 'Chain-' || i))).*
      from network n, generate_series(1, 20000) i where n.gwid = $1`,
    [gwid],
  );
  const found = async (keyword: string) => (await of<Listed<Row>>('/api/v3/cloud_backup/list', { keyword })).data.total;
  expect(await found('chain')).toBe(1);
  expect(await found('chain-1')).toBe(0);
});
