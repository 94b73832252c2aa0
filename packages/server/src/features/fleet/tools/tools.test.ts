import { randomBytes } from 'node:crypto';
import type { DataOf, fleetTools } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyLayout } from '../../../../../edge/src/measure/index.ts';
import { CheckFailed } from '../../../../../edge/src/tools/check-errors.ts';
import { useTool } from '../../../../../edge/src/tools/index.ts';
import { CommandError } from '../../../uplink/command-error.ts';
import { captureFormat } from './pcapng.ts';
import {
  bring,
  call,
  type Detail,
  device,
  done,
  fetched,
  goAhead,
  once,
  owner,
  type Rpc,
  server,
  startFixture,
  stopFixture,
  use,
} from './testing/tool-fixture.ts';

beforeAll(startFixture);
afterAll(stopFixture);

const agent = { platform: 'olg', firmware: 'Yunxun edge 0.1.0' };
const runningTools = {
  network: { WAN2: ['eth1'], LAN1: ['eth2'], WAN1: ['eth0'] },
  yunxun: { abilities: { tools: true, checks: true } },
};

const pinged = `PING 192.0.2.1 (192.0.2.1): 56 data bytes
64 bytes from 192.0.2.1: seq=0 ttl=64 time=1.204 ms

--- 192.0.2.1 ping statistics ---
5 packets transmitted, 4 packets received, 20% packet loss
round-trip min/avg/max = 1.204/2.500/6.031 ms
`;

describe('a tool', () => {
  it('that is a script shows what the device printed, and counts', async () => {
    const given: string[] = [];
    const serial = await device(({ params }) => {
      given.push(Buffer.from(String(params.script), 'base64').toString());
      return done({ error: 1, result: pinged });
    });
    const run = await once(await use(serial, { tool: 'ping', target: '192.0.2.1', count: 5 }), 'done');
    expect(given[0]).toContain('ping -c 5 -W 2 192.0.2.1 ');
    expect(run).toMatchObject({
      output: pinged,
      ping: { sent: 5, received: 4, loss_pct: 20, min_ms: 1.204, avg_ms: 2.5, max_ms: 6.031 },
    });
    const log = await server.call<{ list: { action: string; after: unknown }[] }>('/api/v3/log/action/list', {}, owner);
    expect(log.data.list[0]).toMatchObject({ action: 'device.tool', after: { tool: 'ping', target: '192.0.2.1' } });
  });

  it('is one line of words for a switch, which has no shell', async () => {
    const given: string[] = [];
    const serial = await device(
      ({ params }) => {
        given.push(Buffer.from(String(params.script), 'base64').toString());
        return done({ result: pinged });
      },
      { platform: 'switch' },
    );
    await once(await use(serial, { tool: 'ping', target: '192.0.2.1', count: 3 }), 'done');
    expect(given).toEqual(['ping -c 3 -W 2 192.0.2.1\n']);
  });

  it('and a command that a switch would ignore are refused, never said to be done', async () => {
    const given: string[] = [];
    const serial = await device(
      ({ method }) => {
        given.push(method);
        return done({ text: 'Success' });
      },
      { platform: 'switch' },
    );
    const answers = [
      await server.call('/api/v3/ap/blink', { serial, seconds: 5 }, owner),
      await server.call('/api/v3/device/refresh', { serial }, owner),
      await call('run', { serial, tool: 'leds' }),
      await call('run', { serial, tool: 'trace' }),
    ];
    expect(answers.map(({ code, data }) => [code, data])).toEqual(
      Array.from({ length: 4 }, () => [4114, { reason: 'firmware' }]),
    );
    expect(given).toEqual([]);
  });

  it('that the device does not know says so in its words', async () => {
    const serial = await device(() => done({ error: 127, result: 'sh: traceroute: not found\n' }));
    expect(await once(await use(serial, { tool: 'traceroute', target: 'example.com' }), 'failed')).toMatchObject({
      reason: 'sh: traceroute: not found',
    });
  });

  it('lists hops, those too that did not answer', async () => {
    const printed =
      'traceroute to 192.0.2.9 (192.0.2.9), 20 hops max\n 1  10.0.0.1  0.501 ms\n 2  *\n 3  192.0.2.9  9.5 ms\n';
    const serial = await device(() => done({ result: printed }));
    expect((await once(await use(serial, { tool: 'traceroute', target: '192.0.2.9' }), 'done')).hops).toEqual([
      { hop: 1, address: '10.0.0.1', ms: 0.501 },
      { hop: 2, address: null, ms: null },
      { hop: 3, address: '192.0.2.9', ms: 9.5 },
    ]);
  });

  it('takes no target that a shell or an option parser would act on', async () => {
    const serial = await device(() => done({}));
    for (const target of ['-f', 'a b', 'a;reboot', '$(reboot)', '`x`', 'a\nb', '', 'a|b', "a'b", '../x']) {
      expect((await call('run', { serial, tool: 'ping', target })).status, target).toBe(422);
    }
    expect(await call('run', { serial, tool: 'ping' })).toMatchObject({ status: 422 });
  });

  it('is not begun on a device that is offline, and skipped where it has just left', async () => {
    const away = await device(null, { online: false });
    expect(await call('run', { serial: away, tool: 'leds' })).toMatchObject({ code: 4102 });
    const gone = await device(null);
    expect(await once(await use(gone, { tool: 'leds' }), 'skipped')).toMatchObject({ reason: 'job.skipped_offline' });
  });

  it('is offered where the device has it', async () => {
    const offered = async (what: Parameters<typeof device>[1]) => {
      const { data } = await call<DataOf<typeof fleetTools.toolOffer>>('offer', { serial: await device(null, what) });
      return data.list.filter(({ why }) => why === null).map(({ tool }) => tool);
    };
    expect(await offered({})).toEqual(['ping', 'traceroute', 'wifiscan', 'trace', 'bundle', 'leds']);
    expect(await offered({ platform: 'switch' })).toEqual(['ping', 'traceroute', 'bundle']);
    expect(await offered({ platform: 'olg', firmware: 'Yunxun edge 0.1.0' })).toEqual(['ping', 'traceroute', 'trace']);
    const own = await device(null, { ...agent, capabilities: runningTools });
    const { data } = await call<DataOf<typeof fleetTools.toolOffer>>('offer', { serial: own });
    expect(data.list.filter(({ why }) => why === null).map(({ tool }) => tool)).toEqual([
      'ping',
      'traceroute',
      'dns',
      'tcp_check',
      'http_check',
      'speed',
      'trace',
    ]);
    expect(data.places).toEqual(['WAN1', 'WAN2']);
    const switched = await device(null, { platform: 'switch' });
    expect((await call('run', { serial: switched, tool: 'wifiscan' })).code).not.toBe(2000);
  });
});

describe('a tool that the agent runs itself', () => {
  async function box(asked: Rpc[] = []): Promise<string> {
    return device(
      async (rpc) => {
        asked.push(rpc);
        const params = { ...rpc.params };
        if (params.uri) params.uri = String(params.uri).replace(/^https?:\/\/[^/]+/, server.url);
        const resolve = async (host: string) => {
          if (host !== 'site.example') throw new CheckFailed('forbidden', host);
          return { address: '127.0.0.1', isLan: true };
        };
        const options = { layout: emptyLayout, ports: {}, origins: [server.url], ca: [], resolve };
        return { status: await useTool(params, options) };
      },
      { ...agent, capabilities: runningTools },
    );
  }

  it('pings and traces without a script', async () => {
    const asked: Rpc[] = [];
    const serial = await box(asked);
    const ping = await once(await use(serial, { tool: 'ping', target: '127.0.0.1', count: 2 }), 'done');
    expect(ping.ping).toMatchObject({ sent: 2, received: 2, loss_pct: 0 });
    const trace = await once(await use(serial, { tool: 'traceroute', target: '127.0.0.1' }), 'done');
    expect(trace.hops).toMatchObject([{ hop: 1, address: '127.0.0.1' }]);
    expect(asked.map(({ method }) => method)).toEqual(['yunxun.tool', 'yunxun.tool']);
  });

  it('asks the server that is named, and says that it does not answer', async () => {
    const { lookups } = await once(
      await use(await box(), { tool: 'dns', target: 'www.example.com', server: '127.0.0.77' }),
      'done',
    );
    expect(lookups).toMatchObject([{ server: '127.0.0.77', answers: [], error: expect.stringMatching(/^E/) }]);
  });

  it('connects to a TCP port, and says why it could not', async () => {
    const serial = await box();
    const port = Number(new URL(server.url).port);
    const open = await once(await use(serial, { tool: 'tcp_check', target: 'site.example', port }), 'done');
    expect(open.tcp).toEqual({ address: '127.0.0.1', ms: expect.any(Number), error: null });
    const own = await once(await use(serial, { tool: 'tcp_check', target: '127.0.0.1', port }), 'done');
    expect(own.tcp).toEqual({ address: '127.0.0.1', ms: null, error: 'forbidden' });
    expect(await call('run', { serial, tool: 'tcp_check', target: 'site.example' })).toMatchObject({ status: 422 });
  });

  it('requests a web address, and shows its phases', async () => {
    const serial = await box();
    const url = `http://site.example:${new URL(server.url).port}/api/v3/nothing`;
    const { http } = await once(await use(serial, { tool: 'http_check', url }), 'done');
    expect(http).toMatchObject({ steps: [{ url, address: '127.0.0.1', status: 404, tls_ms: null, error: null }] });
    expect(http?.steps[0]?.first_byte_ms).toBeGreaterThan(0);
    for (const wrong of ['ftp://site.example/', 'http://me:secret@site.example/', 'http://', 'file:///etc/passwd'])
      expect((await call('run', { serial, tool: 'http_check', url: wrong })).status, wrong).toBe(422);
    const old = await device(null, { ...agent, capabilities: { yunxun: { abilities: { tools: true } } } });
    const refused = await call('run', { serial: old, tool: 'http_check', url });
    expect(refused).toMatchObject({ code: 4114, data: { reason: 'agent' } });
  });

  it('measures both ways to the console, by an address that serves each once', async () => {
    const asked: Rpc[] = [];
    const run = await once(await use(await box(asked), { tool: 'speed' }), 'done');
    expect(run.speed?.down?.bytes).toBeGreaterThan(1_000_000);
    expect(run.speed?.up?.bytes).toBeGreaterThan(1_000_000);
    expect(run.speed?.down?.mbps).toBeGreaterThan(1);
    const address = String(asked[0]!.params.uri).replace(/^https?:\/\/[^/]+/, server.url);
    expect((await fetch(address)).status).toBe(404);
    const wrong = await fetch(`${server.url}/v1/speed/nonsense`, {
      method: 'POST',
      body: 'x',
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect(wrong.status).toBe(404);
  });

  it('measures not more often than is good for the console', async () => {
    await server.db.database.systemPool.query(
      `insert into tool_run (account_id, id, serial, tool, arguments, state, job_id, operator, created_at)
       select $1, gen_random_uuid(), $2, 'speed', '{}', 'done', gen_random_uuid(), 'x', now() from generate_series(1, 30)`,
      [owner.accountId, await box()],
    );
    expect(await call('run', { serial: await box(), tool: 'speed' })).toMatchObject({ code: 4106 });
  });
});

describe('a scan', () => {
  it('keeps received BSSIDs, strongest first, and marks own ones', async () => {
    const scan = [
      { bssid: 'AA:00:00:00:00:01', ssid: 'Stranger', channel: 6, signal: -70, ch_util: 40, sta_count: 3 },
      { bssid: 'aa:00:00:00:00:02', ssid: 'Weak', channel: 1, signal: -88, ch_util: 51 },
      { bssid: 'aa:00:00:00:00:01', ssid: 'Stranger', channel: 6, signal: -64, ch_util: 255 },
      { ssid: 'without an address' },
      'nonsense',
    ];
    const serial = await device(() => done({ scan }));
    const { neighbours } = await once(await use(serial, { tool: 'wifiscan' }), 'done');
    expect(neighbours?.map(({ bssid, signal, own, util_pct }) => [bssid, signal, own, util_pct])).toEqual([
      ['aa:00:00:00:00:01', -64, null, 100],
      ['aa:00:00:00:00:02', -88, null, 20],
    ]);
  });
});

describe('a capture', () => {
  const packets = randomBytes(600_000);

  it('is brought by the agent as it brings it, and fetched as it is if it is of no known kind', async () => {
    const uris: string[] = [];
    const serial = await device(async ({ method, params }) => {
      expect([method, params.duration, params.network]).toEqual(['trace', 5, 'up']);
      uris.push(String(params.uri));
      expect(await bring(uris[0]!, packets)).toBeNull();
      return done({ text: '12 packets' });
    });
    const id = await use(serial, { tool: 'trace', seconds: 5 });
    expect(await once(id, 'done')).toMatchObject({ file_size: packets.length, output: '12 packets' });
    const file = await fetched(id);
    expect(file.status).toBe(200);
    expect(file.name).toMatch(new RegExp(`^attachment; filename="${serial}-\\d{8}-\\d{4}\\.pcap"$`));
    expect(file.bytes.equals(packets)).toBe(true);
    expect(await bring(uris[0]!, packets)).toContain('404');
  });

  it('of the classic kind is fetched as pcapng', async () => {
    const head = Buffer.from('d4c3b2a102000400000000000000000000020000' + '01000000', 'hex');
    const packet = Buffer.from('80001f6b' + '01000000' + '04000000' + '3c000000' + 'cafebabe', 'hex');
    const uris: string[] = [];
    const serial = await device(async ({ params }) => {
      uris.push(String(params.uri));
      expect(await bring(uris[0]!, Buffer.concat([head, packet]))).toBeNull();
      return done({ text: '1 packet' });
    });
    const id = await use(serial, { tool: 'trace', seconds: 5 });
    await once(id, 'done');
    const file = await fetched(id);
    expect(file.name).toMatch(/\.pcapng"$/);
    expect(captureFormat(file.bytes)).toBe('pcapng');
    expect(file.bytes.indexOf('cafebabe', 0, 'hex')).toBeGreaterThan(0);
  });

  it('may come after the answer, and is waited for', async () => {
    const uris: string[] = [];
    const serial = await device(({ params }) => {
      uris.push(String(params.uri));
      return done({ text: 'pending' });
    });
    const id = await use(serial, { tool: 'bundle' });
    await once(id, 'uploading');
    expect(await bring(uris[0]!, packets.subarray(0, 1000))).toBeNull();
    await once(id, 'done');
    expect((await fetched(id)).name).toMatch(/\.tar\.gz"$/);
  });

  it('over a line so slow that no answer comes in time is waited for all the same', async () => {
    const uris: string[] = [];
    const serial = await device(({ params }) => {
      uris.push(String(params.uri));
      throw new CommandError('DEVICE_TIMEOUT', 'no answer in time', { sent: true });
    });
    const id = await use(serial, { tool: 'trace', seconds: 5 });
    await once(id, 'uploading');
    expect(await bring(uris[0]!, packets)).toBeNull();
    expect(await once(id, 'done')).toMatchObject({ file_size: packets.length });
  });

  it('that does not come in time has failed', async () => {
    const uris: string[] = [];
    const serial = await device(({ params }) => {
      uris.push(String(params.uri));
      return done({ text: 'pending' });
    });
    const id = await use(serial, { tool: 'bundle' });
    await once(id, 'uploading');
    goAhead(30 * 60_000);
    expect(await bring(uris[0]!, packets.subarray(0, 10))).toContain('404');
    await server.db.database.systemPool.query(
      "select graphile_worker.reschedule_jobs(array_agg(id), now()) from graphile_worker.jobs where key = 'tool-look:' || $1",
      [`${owner.accountId}.${id}`],
    );
    expect(await once(id, 'failed')).toMatchObject({ reason: 'job.tool_no_file' });
    goAhead(0);
  });

  it('is accepted once, at its address only, up to its size', async () => {
    const wrong = `${server.url}/v1/upload/${owner.accountId}.${owner.accountId}.x`;
    expect(await bring(wrong, packets.subarray(0, 10))).toContain('404');
    expect(await bring(`${server.url}/v1/upload/nonsense`, packets.subarray(0, 10))).toContain('404');
    const uris: string[] = [];
    const serial = await device(({ params }) => {
      uris.push(String(params.uri));
      return done({ text: 'pending' });
    });
    const id = await use(serial, { tool: 'bundle' });
    await once(id, 'uploading');
    const address = uris[0]!.replace(/^https?:\/\/[^/]+/, server.url);
    const odd = await fetch(address, { method: 'POST', body: 'x', headers: { 'content-type': 'multipart/form-data' } });
    expect(odd.status).toBe(400);
    const plain = await fetch(address, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
    expect(plain.status).toBe(400);
    expect(await bring(uris[0]!, Buffer.alloc(18 * 1024 * 1024))).not.toBeNull();
    expect((await call<Detail>('detail', { id })).data.file_size).toBeNull();
    expect(await bring(uris[0]!, packets.subarray(0, 10))).toBeNull();
    await once(id, 'done');
  });
});
