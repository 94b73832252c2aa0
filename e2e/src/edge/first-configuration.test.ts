import { describe, expect, it } from 'vitest';
import { type LabDocument, type LabHost, smallGateway, startHost } from './host.ts';
import { type Lab, type LabOptions, startLab } from './lab.ts';
import { labFixture } from './lab-fixture.ts';

/** The distribution set wan1; the first configuration sets DHCP. */
function firstConfiguration(uuid: number, lan = '10.1.0.1/24'): LabDocument {
  const { interfaces, ...document } = smallGateway(uuid);
  const [wan, own] = interfaces;
  const ipv4 = { addressing: 'dynamic' };
  const pool = { dhcp: { 'lease-first': 150, 'lease-count': 20, 'lease-time': '1h' } };
  return {
    ...document,
    interfaces: [
      { ...wan, ipv4 },
      { ...own, ipv4: { addressing: 'static', subnet: lan, ...pool } },
    ],
  };
}

const cases: readonly { what: string; dhcp: LabOptions['dhcpOnWans']; lan?: string }[] = [
  { what: 'a DHCP server that answers after 1 s and names a router that is none', dhcp: { router: 200, delayS: 1 } },
  { what: 'no DHCP server, and a LAN whose address is that of the router', dhcp: false, lan: '198.51.100.1/24' },
];

describe.each(cases)('a box that is set to DHCP before $what', ({ dhcp, lan }) => {
  let lab: Lab;
  let host: LabHost;

  labFixture(async (own) => {
    lab = own(await startLab({ console: true, dhcpOnWans: dhcp ?? false }));
    host = own(await startHost(lab));
    await host.start();
  });

  it('is back on the console over the route of its distribution', async () => {
    const routes = () => lab.run('gw', 'ip', '-4', 'route', 'show', 'default');
    const before = await routes();
    const session = await host.session();
    session.send('configure', { uuid: 100, config: firstConfiguration(100, lan) });
    const logged = () => host.console.sessions.flatMap(({ messages }) => messages.map((one) => JSON.stringify(one)));
    const returned = () => logged().some((text) => text.includes('"unit.config-returned","payload":{"uuid":100,'));
    await expect.poll(returned, { timeout: 120_000 }).toBe(true);
    await host.session();
    expect(await routes()).toBe(before.replace(/ ?onlink/, ''));
    expect((await host.call('status')).stdout).toMatch(/^taken back {5}100: the console was not reached/m);
  });
});

describe('a box whose provider leases an address in the subnet of its LAN', () => {
  let lab: Lab;
  let host: LabHost;

  labFixture(async (own) => {
    lab = own(await startLab({ console: true, dhcpOnWans: { router: 1, delayS: 1 } }));
    host = own(await startHost(lab));
    await host.start();
  });

  it('keeps line and console, and says which LAN collides', async () => {
    const word = await host.configure(firstConfiguration(100, '198.51.100.1/24'));
    const rejected = ['[W] (In /) down1v0 has no address: up0v0 has an address or a router in 198.51.100.0/24'];
    expect(word, host.log()).toMatchObject({ uuid: 100, status: { error: 1, rejected, withheld: ['down1v0'] } });
    const routes = await lab.run('gw', 'ip', '-4', 'route', 'show', 'default');
    expect(routes).toMatch(/^default via 198\.51\.100\.1 dev wan1 proto 201 metric 10/);
    expect(await lab.run('gw', 'ip', '-4', '-br', 'addr')).not.toContain('198.51.100.1/24');
    const session = await host.session();
    const from = session.messages.length;
    await session.command('request', { message: 'state', request_uuid: '1' }, 20_000);
    const { params } = await session.message('state', from);
    expect(params).toMatchObject({ state: { yunxun: { lines: [{ collides: '198.51.100.0/24' }] } } });
  });
});

describe('a box on which another DNS server answers on every address', () => {
  let lab: Lab;
  let host: LabHost;

  labFixture(async (own) => {
    lab = own(await startLab({ console: true }));
    lab.start('gw', 'dnsmasq', ['--keep-in-foreground', '--conf-file=/dev/null', '--no-resolv', '--pid-file=']);
    await expect.poll(() => lab.run('gw', 'ss', '-Hltn', 'sport = :53'), { timeout: 20_000 }).toContain('0.0.0.0:53');
    host = own(await startHost(lab));
    await host.start();
  });

  // no unit of root's names the process
  it('reports it, and changes nothing beside it', async () => {
    const session = await host.session();
    const from = session.messages.length;
    await session.command('request', { message: 'state', request_uuid: '1' }, 20_000);
    const { params } = await session.message('state', from);
    expect(params).toMatchObject({ state: { yunxun: { port53: expect.any(Array) as unknown } } });
    const { port53 } = (params as { state: { yunxun: { port53: object[] } } }).state.yunxun;
    expect(port53).toContainEqual({ protocol: 'tcp', address: '0.0.0.0', process: null, service: null });
    const consent = { 'third-party': { yunxun: { take_port53: true } } };
    const word = await host.configure({ ...firstConfiguration(100), ...consent });
    expect(word).toMatchObject({
      status: { error: 2, port53: 'no_service', rejected: [expect.stringContaining('0.0.0.0, port 53')] },
    });
    expect(await lab.run('gw', 'ip', '-4', '-br', 'addr')).not.toContain('10.1.0.1/24');
    expect(await lab.run('gw', 'ss', '-Hltn', 'sport = :53')).toContain('0.0.0.0:53');
  });
});
