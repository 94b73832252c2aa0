import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AgentDouble } from './testing/devices.ts';
import { TerminalPage } from './testing/page.ts';
import { RfbDouble, vncResponse } from './testing/rfb.ts';
import { RemoteSite } from './testing/site.ts';

let site: RemoteSite;
let addresses = 40;

beforeAll(async () => {
  site = await RemoteSite.start();
});
afterEach(() => site.endAll());
afterAll(() => site.stop());

const target = async (listener = createServer(), ports: object = { screen_port: 5900 }) => ({
  peripheral_id: await site.peripheral(`192.168.1.${addresses++}`, listener, ports),
});

async function session(vnc: RfbDouble): Promise<{ id: string; agent: AgentDouble; page: TerminalPage }> {
  const id = await site.open(await target(vnc.server), 'vnc');
  const agent = await site.join();
  const page = await TerminalPage.of(site.server, id, site.owner);
  await page.shows('RFB 003.008\n');
  page.type('RFB 003.008\n');
  return { id, agent, page };
}

/** After the version. */
const output = (page: TerminalPage) => Buffer.from(page.shown, 'latin1').subarray(12);

describe('the screen of a peripheral device', () => {
  it('is drawn, and takes keys', async () => {
    const vnc = new RfbDouble();
    const { page } = await session(vnc);
    await page.shows('\n\x01\x01');
    page.type(Buffer.from([1]));
    page.type(Buffer.from([1]));
    await page.shows('till');
    page.type(Buffer.from([2, 0, 0, 1, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 8, 0, 4]));
    await page.shows('\x10'.repeat(8 * 4 * 4));
    page.type(Buffer.from([3, 1, 0, 0, 0, 0, 0, 8, 0, 4, 4, 1, 0, 0, 0, 0, 0xff, 0x0d]));
    await page.shows('\x77'.repeat(8 * 4 * 4));
    expect(vnc.keys).toEqual([0xff0d]);
  });

  it('is not drawn after a wrong password', async () => {
    const answer = async (password: string) => {
      const { page } = await session(new RfbDouble('secret'));
      await page.shows('\n\x01\x02');
      page.type(Buffer.from([2]));
      await expect.poll(() => output(page).length).toBe(18);
      page.type(vncResponse(output(page).subarray(2), password));
      return page;
    };
    const refused = await answer('wrong');
    await refused.shows('wrong password');
    expect(await refused.hears('end')).toMatchObject({ reason: 'closed' });
    const right = await answer('secret');
    await expect.poll(() => output(right).subarray(18).toString('hex')).toBe('00000000');
  });

  it('has one page, and ends with it', async () => {
    const vnc = new RfbDouble();
    const { id, agent, page } = await session(vnc);
    const second = await TerminalPage.of(site.server, id, site.owner);
    expect(await second.hears('replaced')).toBeDefined();
    await second.leaves();
    page.type(Buffer.from([1, 1]));
    await page.shows('till');
    page.close();
    await expect.poll(() => [agent.closed, vnc.closed]).toEqual([true, 1]);
    const late = await TerminalPage.of(site.server, id, site.owner);
    expect(await late.hears('end')).toMatchObject({ reason: 'left' });
    expect(late.bytes).toBe(0);
  });

  it('waits for a page that reads nothing, and loses nothing', async () => {
    const much = 32 * 1024 * 1024;
    let drained = false;
    const flood = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write(Buffer.alloc(much, 'x'), () => {
        drained = true;
      });
    });
    const id = await site.open(await target(flood), 'vnc');
    await site.join();
    const page = await TerminalPage.of(site.server, id, site.owner);
    page.socket.pause();
    await expect.poll(() => page.socket.isPaused).toBe(true);
    expect(drained).toBe(false);
    page.socket.resume();
    await expect.poll(() => page.bytes).toBe(much);
  });
});

describe('what has no screen', () => {
  const reasons = async (ports: object) => {
    const { data } = await site.call<{ list: { kind: string; reason: string | null }[] }>(
      'remote/targets',
      await target(createServer(), ports),
    );
    return Object.fromEntries(data.list.map(({ kind, reason }) => [kind, reason]));
  };

  it('has its reason', async () => {
    expect(await reasons({})).toMatchObject({ ssh: 'no_port', vnc: 'no_screen_port' });
    expect(await reasons({ shell_port: 22 })).toMatchObject({ ssh: null, vnc: 'no_screen_port' });
    expect(await reasons({ screen_port: 5900 })).toMatchObject({ ssh: 'no_port', vnc: null });
    expect(await reasons({ mode: 'tcp', detect_port: 3389 })).toMatchObject({ vnc: 'rdp' });
  });

  it('is RDP, which is refused with advice', async () => {
    const given = { gwid: site.gwid, name: 'Office-PC', type: 'server', ip: '192.168.1.200', mode: 'icmp' };
    const ports = { detect_port: null, web_port: null, shell_port: null };
    const refused = await site.call('peripheral/create', { ...given, ...ports, screen_port: 3389 });
    expect(refused).toMatchObject({ code: 422, errors: { screen_port: [expect.stringContaining('VNC')] } });
    const { data } = await site.call('peripheral/create', { ...given, ...ports, screen_port: 5901 });
    expect((await site.call('peripheral/update', { id: data.id, screen_port: 3389 })).code).toBe(422);
    expect((await site.call('peripheral/update', { id: data.id, name: 'PC' })).code).toBe(2000);
    const { data: listed } = await site.call<{ list: object[] }>('peripheral/list', { keyword: '192.168.1.200' });
    expect(listed.list).toMatchObject([{ name: 'PC', screen_port: 5901 }]);
  });
});
