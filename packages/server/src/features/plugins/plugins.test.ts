import type { plugins as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCatalogue, makeKey, packArchive, publicKeyOf, signRelease } from '../../../../plugins/pack.ts';
import { accessPoint, endDevices, enrol, listedAs } from '../../../test/conformance/device-client.ts';
import type { AccessPoint } from '../../../test/conformance/peer/access-point.ts';
import type { Json } from '../../../test/conformance/peer/json.ts';
import { asOwner } from '../../../test/database.ts';
import { administer } from '../../../test/endpoints.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';

const metrics = new URL('../../../../plugins/metrics', import.meta.url).pathname;
const { pem, key } = makeKey();
type Files = Record<string, string | Buffer>;
type Detail = DataOf<typeof contract.detail>;

let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
  await administer(server, owner.userId);
});
afterAll(async () => {
  await endDevices();
  await server.stop();
});

const call = <T>(what: string, body: object = {}, as: Parameters<TestServer['call']>[2] = owner) =>
  server.call<T>(`/api/v3/${what}`, body, as);
const catalogue = () => buildCatalogue([metrics], 'Maker', pem);
const offer = (files: Files) => call('install/plugin/import', { file: packArchive(files).toString('base64') });
const problem = async (files: Files) => {
  const { code, errors } = await offer(files);
  return { code, at: (errors as Record<string, string[]> | undefined)?.file?.[0] };
};
const detail = async (id = 'metrics') => (await call<Detail>('plugin/detail', { id })).data;

function indexed(change: (plugin: Json, index: Json) => void, files: Files = catalogue()): Files {
  const index = JSON.parse(String(files['catalogue.json'])) as Json;
  change((index.plugins as Json[])[0]!, index);
  return { ...files, 'catalogue.json': JSON.stringify(index) };
}

/** Returns the catalogue with another, properly signed package. */
function repacked(content: Files): Files {
  const bytes = packArchive(content);
  const named = { id: 'metrics', version: '1.0.0', arch: 'all' };
  return indexed((plugin) => Object.assign((plugin.versions as Json[])[0]!, signRelease(bytes, named, pem)), {
    ...catalogue(),
    'packages/metrics-1.0.0-all.tar.gz': bytes,
  });
}

describe('a catalogue', () => {
  it('is refused while its publisher is not trusted, and taken afterwards', async () => {
    expect((await problem(catalogue())).at).toBe('The key of publisher Maker is not trusted');
    expect((await call('install/plugin/trust', { name: 'Maker', key: 'A'.repeat(60) })).errors).toHaveProperty('key');
    expect((await call('install/plugin/trust', { name: 'Maker', key })).code).toBe(2000);
    expect((await offer(catalogue())).data).toEqual({ plugins: 1, packages: 1 });
    expect((await offer(catalogue())).code).toBe(2000);
    const { data } = await call<DataOf<typeof contract.publishers>>('install/plugin/publishers');
    expect(data.list).toMatchObject([{ key, name: 'Maker', plugins: ['metrics'] }]);
  });

  it('is refused by name for every package that is not as signed', async () => {
    const manifest = (id: string) => JSON.stringify({ id, version: '1.0.0', main: 'main.mjs' });
    const code = { 'main.mjs': '' };
    const name = 'metrics 1.0.0: ';
    const cases: [Files, string][] = [
      [{ ...catalogue(), 'packages/metrics-1.0.0-all.tar.gz': packArchive(code) }, 'another size'],
      [
        indexed((plugin) => ((plugin.versions as Json[])[0]!.sha256 = '0'.repeat(64))),
        'the checksum of the package differs',
      ],
      [indexed((plugin) => ((plugin.versions as Json[])[0]!.signature = 'AAAA')), 'not signed'],
      [indexed((plugin) => ((plugin.versions as Json[])[0]!.version = '1.0.1')), 'not signed'],
      [buildCatalogue([metrics], 'Maker', makeKey().pem), 'not trusted'],
      [repacked({ 'plugin.json': manifest('other'), ...code }), 'name or version'],
      [repacked({ 'plugin.json': manifest('metrics'), ...code, '../evil': '' }), 'leaves its folder'],
      [indexed((plugin) => ((plugin.versions as Json[])[0]!.file = 'absent')), 'no file'],
      [indexed((plugin) => (plugin.id = '../metrics')), 'cannot be read'],
      [indexed((plugin) => (plugin.permissions = ['root'])), 'metrics.permissions'],
      [
        indexed((plugin) => (plugin.settings = { type: 'object', properties: { a: { type: 'array' } } })),
        'metrics.settings',
      ],
      [indexed((_plugin, index) => (index.format = 2)), 'format'],
      [repacked({ 'plugin.json': manifest('metrics'), ...code }), 'with another content'],
    ];
    for (const [files, text] of cases) {
      const { code: answer, at } = await problem(files);
      expect(answer, text).toBe(422);
      expect(at).toContain(text);
      if (text === 'another size' || text === 'not signed') expect(at?.replace('1.0.1', '1.0.0')).toContain(name);
    }
    expect((await call('install/plugin/import', { file: 'AAAA' })).errors).toHaveProperty('file');
  });

  it('is not fetched from private or plain addresses', async () => {
    for (const uri of ['https://127.0.0.1/c.tar.gz', 'https://[::1]/c', 'http://example.org/c', 'file:///etc/passwd'])
      expect((await call('install/plugin/import', { uri })).errors, uri).toHaveProperty('uri');
    expect((await call('install/plugin/import', {})).errors).toHaveProperty('file');
  });
});

describe('a plugin on a gateway', () => {
  let gateway: AccessPoint;
  let serial: string;
  const answered = new Set<unknown>();
  const yunxun = {
    agent: '1.2.0',
    arch: 'arm64',
    abilities: { plugins: true },
    missing: [],
    allowed: { reboot: true, scripts: false },
  };
  const capabilities = { platform: 'olg', compatible: 'yunxun_edge', model: 'Box', compress_cmd: true, yunxun };
  const settings = { address: '192.168.1.1', port: 9200, loopback: false };

  beforeAll(async () => {
    const { data } = await call<{ gwid: string }>('network/create', { remark: 'Site' });
    gateway = accessPoint(await enrol(server, owner, { gwid: data.gwid, platform: 'olg' }), { capabilities });
    await gateway.connect();
    serial = gateway.options.serial;
  });

  const mine = async () => (await detail()).devices.find((row) => row.serial === serial)!;
  const state = (more: object = {}) => ({
    id: 'metrics',
    version: '1.0.0',
    state: 'running',
    reason: null,
    log: ['listening'],
    ...more,
  });
  async function obey(status: object): Promise<Json> {
    let found: { id?: unknown; params?: Json | undefined } | undefined;
    await expect
      .poll(() => {
        found = gateway.received.flatMap(({ command }) =>
          command?.method === 'yunxun.tool' && !answered.has(command.id) ? [command] : [],
        )[0];
        return found !== undefined;
      })
      .toBe(true);
    answered.add(found!.id);
    gateway.sendJson({ jsonrpc: '2.0', id: found!.id, result: { serial, status } });
    return found!.params ?? {};
  }
  const done = (plugins: object[]) => ({ error: 0, text: 'Success', tool: { plugins } });
  const poll = () => expect.poll(async () => (await mine()).install ?? {});

  it('is listed with the gateways that can run it', async () => {
    await listedAs(server, owner, serial, { status: 'online' });
    await expect.poll(async () => (await detail()).fits).toBe(1);
    const { data } = await call<DataOf<typeof contract.list>>('plugin/list', { fits: true, keyword: 'prometheus' });
    expect(data.list).toMatchObject([{ id: 'metrics', version: '1.0.0', fits: 1, installed: 0, publisher: 'Maker' }]);
    expect((await call<{ total: number }>('plugin/list', { installed: true })).data.total).toBe(0);
    expect((await call<{ total: number }>('plugin/list', { keyword: 'nothing' })).data.total).toBe(0);
    expect(await mine()).toMatchObject({ online: true, unfit: null, install: null, network: 'Site' });
  });

  it('refuses settings beyond its schema and devices that cannot run it', async () => {
    const given = { id: 'metrics', serials: [serial] };
    const refused = async (change: object) =>
      (await call('plugin/install', { ...given, settings: { ...settings, ...change } })).errors;
    expect(await refused({ port: 80 })).toHaveProperty(['settings.port']);
    expect(await refused({ port: undefined })).toHaveProperty(['settings.port']);
    expect(await refused({ more: 1 })).toHaveProperty(['settings.more']);
    expect((await call('plugin/install', { ...given, id: 'absent' })).code).toBe(4113);
    await asOwner(server.db.owner, (client) =>
      client.query(`update device set capabilities = jsonb_set(capabilities, '{yunxun,agent}', '"0.0.9"')`),
    );
    expect(await mine()).toMatchObject({ unfit: 'agent_version' });
    expect((await call('plugin/install', given)).errors).toHaveProperty('serials');
    await asOwner(server.db.owner, (client) =>
      client.query(`update device set capabilities = jsonb_set(capabilities, '{yunxun,agent}', '"1.2.0"')`),
    );
  });

  it('is installed from an address that works once, and shows what the gateway reports', async () => {
    const started = await call<{ job_id: string }>('plugin/install', { id: 'metrics', serials: [serial], settings });
    expect(started.code).toBe(2000);
    await expect.poll(() => gateway.received.some(({ command }) => command?.method === 'yunxun.tool')).toBe(true);
    const command = gateway.received.find((one) => one.command?.method === 'yunxun.tool')!.command!.params as Json;
    const path = new URL(String(command.url)).pathname;
    const bytes = Buffer.from(await (await fetch(new URL(path, server.url))).arrayBuffer());
    expect(bytes.length).toBe(command.size);
    expect((await fetch(new URL(path, server.url))).status).toBe(404);
    expect(await obey(done([state()]))).toMatchObject({
      op: 'install',
      id: 'metrics',
      key: publicKeyOf(pem),
      permissions: ['net.listen', 'host.read'],
      settings,
    });
    await poll().toMatchObject({ state: 'running', reported_version: '1.0.0', log: ['listening'], settings });
    const job = async () => (await call<{ status: string }>('job/detail', { job_id: started.data.job_id })).data.status;
    await expect.poll(job).toBe('succeeded');
  });

  it('takes new settings without a new installation', async () => {
    await call('plugin/install', { id: 'metrics', serials: [serial], settings: { ...settings, port: 9300 } });
    const command = await obey(done([state()]));
    expect(command).toMatchObject({ op: 'settings', settings: { port: 9300 } });
    await poll().toMatchObject({ state: 'running', settings: { port: 9300 } });
  });

  /** Sends the report until it has been compared with the rows. */
  const reported = (plugins: object[]) =>
    expect.poll(async () => {
      const localtime = Math.floor(Date.now() / 1000);
      gateway.state({ unit: { uptime: 9000, localtime }, yunxun: { plugins } });
      await server.db.database.systemPool.query(
        "select graphile_worker.add_job('plugins-watch', job_key => 'now', queue_name => 'plugins-watch')",
      );
      return (await mine()).install ?? {};
    });

  it('that crashes later is shown as failed with its last lines', async () => {
    const log = ['port in use', 'exit code 1'];
    const wanted = { state: 'failed', reason: 'exited', log };
    await reported([state(wanted)]).toMatchObject(wanted);
  });

  it('that a gateway no longer reports is shown as missing', async () => {
    await reported([]).toMatchObject({ state: 'failed', reason: 'missing', reported_version: null });
  });

  it('keeps the reason of an installation that the gateway refused', async () => {
    await call('plugin/install', { id: 'metrics', serials: [serial], settings });
    expect(await obey({ error: 1, text: 'hash' })).toMatchObject({ op: 'install' });
    await poll().toMatchObject({ state: 'failed', reason: 'hash' });
  });

  it('is removed, and its log says what happened', async () => {
    expect((await call('install/plugin/distrust', { key })).code).toBe(4109);
    await call('plugin/remove', { id: 'metrics', serials: [serial] });
    expect(await obey(done([]))).toMatchObject({ tool: 'plugin', op: 'remove', id: 'metrics' });
    await expect.poll(async () => (await mine()).install).toBeNull();
    const { data } = await call<DataOf<typeof contract.log>>('plugin/log', { id: 'metrics', limit: 50 });
    expect(data.list.map(({ event, reason }) => reason ?? event)).toEqual([
      'removed',
      'hash',
      'missing',
      'exited',
      'running',
      'running',
    ]);
    expect((await call('plugin/remove', { id: 'metrics', serials: [serial] })).code).toBe(4113);
    expect((await call('install/plugin/distrust', { key })).code).toBe(2000);
    expect((await call<{ total: number }>('plugin/list')).data.total).toBe(0);
  });
});
