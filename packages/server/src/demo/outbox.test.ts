import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newestMessage } from './outbox.ts';

const phone = '13800000001';
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'yunxun-outbox-'));
});
afterAll(() => rm(dataDir, { recursive: true }));

const write = (code: string, to = phone) =>
  appendFile(join(dataDir, 'outbox.ndjson'), `${JSON.stringify({ to, template: 'portalCode', params: { code } })}\n`);
const read = async (send: () => Promise<boolean>) => (await newestMessage(dataDir, phone, 'portalCode', send)).code;

it('returns the code that was just asked for, and an earlier one only if none was sent', async () => {
  await write('111111');
  const later = async () => {
    await write('999999', '13800000002');
    // after the first read
    setTimeout(() => void write('222222'), 100);
    return true;
  };
  expect(await read(later)).toBe('222222');
  expect(await read(async () => false)).toBe('222222');
});
