import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSeed } from './seed.ts';
import { startTestServer, type TestServer } from './server.ts';

const run = promisify(execFile);
const docs = join(import.meta.dirname, '../../../docs');

let server: TestServer;
let folder: string;

beforeAll(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'yunxun-guide-'));
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

function blocks(guide: string, language: string): string[] {
  return [...guide.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map((match) => match[1]!);
}

it.each([
  ['api.en.md', 'renamed to Lobby-North', 'job'],
  ['api.zh-CN.md', '已改名为 Lobby-North', '任务'],
])('%s: the example does what it says, with the token it asks for', async (file, renamed, job) => {
  const { owner, seed } = await makeSeed(server);
  await server.call('/api/v3/network/update', { gwid: seed.network.gwid, remark: 'Lobby' }, owner);
  const wanted = { name: 'Guide', scope: 'write', areas: ['network', 'job'], gwids: null, days: 7 };
  const { data } = await server.call<{ token: string }>('/api/v3/security/token/create', wanted, owner);
  const env = { ...process.env, YUNXUN_URL: server.url, YUNXUN_TOKEN: data.token };
  const guide = readFileSync(join(docs, file), 'utf8');

  const example = join(folder, `${file}.mjs`);
  expect(blocks(guide, 'js')).toHaveLength(4);
  await writeFile(example, blocks(guide, 'js').join('\n'));
  const { stdout } = await run(process.execPath, [example], { env });
  expect(stdout).toContain(`${seed.network.gwid} Lobby offline`);
  expect(stdout).toContain(renamed);
  expect(stdout).toMatch(/^AP-1 waiting_offline$/m);
  expect(stdout).toMatch(new RegExp(`^${job} \\w+ 0/1$`, 'm'));

  const [shell, ...more] = blocks(guide, 'sh');
  expect(more).toEqual([]);
  const listed = JSON.parse((await run('sh', ['-c', shell!], { env })).stdout) as { data: { list: object[] } };
  expect(listed.data.list).toContainEqual(expect.objectContaining({ remark: 'Lobby-North' }));

  const again = await run(process.execPath, [example], { env });
  expect(again.stdout).toMatch(new RegExp(`^${renamed.replace('-North', '')}$`, 'm'));
  const log = await server.call<{ list: object[] }>('/api/v3/log/action/list', { limit: 10 }, owner);
  expect(log.data.list.slice(0, 2)).toMatchObject([
    { action: 'device.reboot', source: 'api', token_name: 'Guide' },
    { action: 'network.update', source: 'api', token_name: 'Guide' },
  ]);

  const own = await run(process.execPath, [example], { env: { ...env, NETWORK: 'Annexe' } }).catch((error) => error);
  expect(own.stdout).toContain(renamed.replace('Lobby', 'Annexe'));
  expect(own.stderr).toContain('network/reboot: 4102 ');
});
