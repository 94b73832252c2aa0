import { randomBytes } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { createEmptyDatabase, testMasterKey } from '../../../test/database.ts';
import { prepareQueue } from '../jobs/index.ts';
import { silentLog } from '../log.ts';
import { openDatabase } from './index.ts';

const { owner, drop } = await createEmptyDatabase();
afterAll(drop);

const open = (masterKey = testMasterKey) => openDatabase({ owner, masterKey, log: silentLog(), poolSize: 2 });

it('is made by several processes that start at the same moment', async () => {
  const databases = await Promise.all([open(), open(), open(), open()]);
  await Promise.all(databases.map(prepareQueue));
  const answers = await Promise.all(databases.map(({ appPool }) => appPool.query('select current_user as role')));
  expect(answers.map(({ rows }) => rows[0].role)).toEqual(Array(4).fill('yunxun_app'));
  await Promise.all(databases.map((database) => database.close()));
});

it('refuses another master key before it changes anything that other processes use', async () => {
  const first = await open();
  await expect(open(randomBytes(32))).rejects.toThrow(/master\.key is not the one/);
  await (await open()).close();
  await first.ping();
  await first.close();
});
