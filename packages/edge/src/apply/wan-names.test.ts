import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AskServer, DnsAnswer } from '../names/dns-query.ts';
import type { Plan } from '../render/plan.ts';
import { HostRig, lease, makeWan, routed } from '../testing/host-rig.ts';
import { checkNames, type NamesCheck, touchedWans } from './wan-names.ts';
import { distinctWanServers, wanServers } from './wans.ts';

const fixed = { address: '192.0.2.50', gateway: '192.0.2.1' };
const wan = { ...makeWan('eth0', 10), fixed, dns: ['192.0.2.53', '192.0.2.54'] };

function check(answers: Record<string, DnsAnswer>, more: Partial<NamesCheck> = {}) {
  const asked: { address: string; from: string | null; name: string | null }[] = [];
  const ask: AskServer = async (server, name) => {
    asked.push({ ...server, name });
    return answers[server.address] ?? { code: 'ETIMEOUT' };
  };
  const verdict = checkNames({
    wans: [wan],
    servers: () => [{ wan: wan.name, from: fixed.address, servers: wan.dns }],
    hasCarrier: () => true,
    name: 'console.example',
    within: 20,
    signal: new AbortController().signal,
    ask,
    pause: 1,
    ...more,
  });
  return { verdict, asked };
}

const good: DnsAnswer = { addresses: [{ address: '192.0.2.9', family: 4 }] };

describe('the DNS servers of a WAN', () => {
  it('fail the change when none answers, by the name of the WAN and of each server', async () => {
    const { verdict, asked } = check({});
    expect(await verdict).toEqual({
      failed: 'the DNS server 192.0.2.53 of eth0 does not answer; the DNS server 192.0.2.54 of eth0 does not answer',
      warnings: [],
    });
    expect(asked[0]).toEqual({ address: '192.0.2.53', from: '192.0.2.50', name: 'console.example' });
  });

  it('are enough when one answers; the dead one is a warning', async () => {
    expect(await check({ '192.0.2.54': good }).verdict).toEqual({
      failed: null,
      warnings: ['the DNS server 192.0.2.53 of eth0 does not answer'],
    });
  });

  it('must know names when the console has one, and only answer when it has none', async () => {
    const refusing = { '192.0.2.53': { code: 'EREFUSED' }, '192.0.2.54': { code: 'EREFUSED' } };
    expect((await check(refusing).verdict).failed).toContain('192.0.2.53 of eth0 answers EREFUSED');
    expect(await check(refusing, { name: null }).verdict).toEqual({ failed: null, warnings: [] });
    const unknown = { '192.0.2.53': { code: 'ENOTFOUND' }, '192.0.2.54': { code: 'ENODATA' } };
    expect((await check(unknown).verdict).failed).toBeNull();
  });

  it('are waited for: the first answers of a new WAN may be lost', async () => {
    let turns = 0;
    const ask: AskServer = async () => (++turns > 4 ? good : { code: 'ETIMEOUT' });
    expect((await check({}, { ask, within: 60_000 }).verdict).failed).toBeNull();
  });

  it('of a WAN without cable, or whose lease was given up, are not judged', async () => {
    expect((await check({}, { hasCarrier: () => false }).verdict).failed).toBeNull();
    const unleased = { wans: [{ ...wan, fixed: null }], servers: () => [] };
    expect((await check({}, unleased).verdict).failed).toBeNull();
  });

  it('are those of the settings, else those of the lease', () => {
    const plan: Plan = { ...routed, lines: [wan, makeWan('eth1', 20)] };
    expect(wanServers(plan, { eth0: { lease: null, alive: false }, eth1: { lease, alive: true } })).toEqual([
      { wan: 'eth1', from: '192.0.2.50', servers: ['192.0.2.3'] },
      { wan: 'eth0', from: '192.0.2.50', servers: ['192.0.2.53', '192.0.2.54'] },
    ]);
  });

  it('are not asked if two WANs have one subnet, because the other would answer', () => {
    const wans = ['eth1', 'eth2', 'eth3'].map((device) => ({ ...makeWan(device, 20), fixed: null }));
    const plan: Plan = { ...routed, addresses: [], lines: wans };
    const leased = (address: string) => ({
      lease: { ...lease, address, prefix: 24, gateway: '192.168.1.1' },
      alive: true,
    });
    const states = { eth1: leased('192.168.1.2'), eth2: leased('192.168.1.3'), eth3: leased('192.168.3.2') };
    expect(distinctWanServers(plan, states).map(({ wan }) => wan)).toEqual(['eth3']);
  });
});

describe('a change', () => {
  let rig: HostRig;
  beforeEach(() => {
    rig = new HostRig();
  });
  afterEach(() => rig.stop());

  const plan: Plan = { ...routed, dhcpClients: [], lines: [wan] };

  it('is taken back when no name can be resolved over a WAN that it touches', async () => {
    const reason = 'the DNS server 192.0.2.53 of eth0 does not answer';
    const host = await rig.started({ names: async () => ({ failed: reason, warnings: [] }) });
    expect(await host.change(plan, 7, 30)).toEqual({ confirmed: false, reason });
    expect(rig.reported.at(-1)).toEqual({ uuid: 7, reason });
    expect(rig.model.state.routes).not.toHaveProperty('254 default 10');
  });

  it('that leaves the WANs alone asks no DNS server', async () => {
    const asked: string[][] = [];
    const names: NonNullable<Parameters<HostRig['host']>[0]>['names'] = async (wans) => {
      asked.push(wans.map(({ device }) => device));
      return { failed: null, warnings: [] };
    };
    const host = await rig.started({ names });
    await host.change(plan, 7, 30);
    await host.change({ ...plan, nft: 'table inet yunxun { other }' }, 8, 30);
    expect(asked).toEqual([['eth0']]);
  });

  it('touches a WAN by its servers and by its device', () => {
    expect(touchedWans(plan, { ...plan, lines: [{ ...wan, dns: ['192.0.2.55'] }] })).toHaveLength(1);
    const port = { kind: 'port', device: 'eth0', master: null, mtu: 1400 } as const;
    expect(touchedWans(plan, { ...plan, links: [...plan.links, port] })).toHaveLength(1);
    expect(touchedWans(plan, { ...plan, nft: 'other' })).toEqual([]);
  });
});
