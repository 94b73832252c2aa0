import type { EdgeCaptive } from '@yunxun/contract/device';
import { describe, expect, it } from 'vitest';
import { changes } from '../apply/changes.ts';
import { nothingOwned } from '../apply/ownership.ts';
import { readDocument } from '../document/index.ts';
import { changed } from '../document/testing/changes.ts';
import { fullFacts, type JsonObject } from '../document/testing/documents.ts';
import { admit, admitPayer, emptyPlan, expel, openForAll, type Plan, render } from './index.ts';
import { ruleErrorOf, whyNot } from './testing/tools.ts';

const reason = whyNot('nft');
const facts = { ...fullFacts, abilities: { ...fullFacts.abilities, nftset: true, captiveBridge: true } };
const captive: EdgeCaptive = {
  interfaces: ['LAN'],
  page: 'https://guests.example.org/p/abc/edge',
  secret: 's'.repeat(32),
  garden: ['192.0.2.80', 'shop.example.com'],
  exempt_macs: ['02:00:00:00:00:09'],
  exempt_addresses: ['192.168.1.20'],
  exempt_ipv6: ['2001:db8::20'],
};
const range = (first: string, last: string, of = 'LAN') => ({ interface: of, first, last });
const ranges = [range('192.168.1.100', '192.168.1.150'), range('192.168.1.200', '192.168.1.200')];
const read = (change: Partial<EdgeCaptive>, ports: string[], own = facts) =>
  readDocument(
    changed({
      'third-party': { yunxun: { captive: { ...captive, ...change } as unknown as JsonObject } },
      'interfaces.1.ethernet.0.select-ports': ports,
    }),
    own,
  );
function planOf(change: Partial<EdgeCaptive> = {}, ports = ['LAN1', 'LAN2'], own = facts): Plan {
  const found = read(change, ports, own);
  if ('refused' in found) throw new Error(found.refused.join('\n'));
  return render(found.document, own);
}
const refusal = (change: Partial<EdgeCaptive>) => {
  const found = read(change, ['LAN1']);
  return 'refused' in found ? found.refused.join('\n') : null;
};
const chain = (text: string, family: 'inet' | 'bridge', name: string) =>
  new RegExp(
    `table ${family} yunxun_captive \\{\\n(?=\\tchain)[^]*?chain ${name} \\{\\n([^}]*(?:\\{[^}]*\\}[^}]*)*?)\\n\\t\\}`,
  )
    .exec(text)![1]!
    .trim()
    .split(/\n\t*/);

describe('address ranges', () => {
  it('are of a captive interface, in order, and apart', () => {
    expect(refusal({ ranges: [range('192.168.1.9', '192.168.1.8')] })).toContain('comes before the first');
    expect(refusal({ ranges: [range('192.168.1.8', '192.168.1.9', 'Office')] })).toContain('not one of the interfaces');
    expect(refusal({ ranges: [...ranges, range('192.168.1.150', '192.168.1.160')] })).toContain('overlaps');
    expect(refusal({ exempt_ipv6: ['2001:db8:::1'] })).toContain('is not an IPv6 address');
    expect(refusal({ ranges })).toBeNull();
  });

  it('leave all others alone, whose MACs also may use IPv6', () => {
    const { nft } = planOf({ ranges }, ['LAN1']).captive!;
    const outside =
      'iifname { "eth1" } ip saddr 192.168.1.0/24 ip saddr != { 192.168.1.100-192.168.1.150, 192.168.1.200 }';
    expect(chain(nft, 'inet', 'outside')).toEqual([
      `${outside} update @outsiders { iifname . ether saddr }`,
      `${outside} accept`,
      'meta nfproto ipv6 iifname . ether saddr @outsiders accept',
    ]);
    for (const name of ['captured', 'gated', 'hosted']) expect(chain(nft, 'inet', name)).toContain('jump outside');
    expect(planOf({}, ['LAN1']).captive!.nft).not.toContain('outside');
  });

  it('keep the API from clients that need no sign-in', () => {
    const api = 'https://guests.example.org/p/abc/api';
    expect(planOf({ api }).dnsmasq?.config).toContain(',114,');
    expect(planOf({ api, ranges }).dnsmasq?.config).not.toContain(',114,');
  });
});

describe('payment hosts', () => {
  const pay = ['pay.example.com', 'shop.example.com', 'www.shop.example.com'];

  it('are open on port 443 to clients with a pass, and fill no set of the garden’s names', () => {
    const plan = planOf({ pay }, ['LAN1']);
    const { nft } = plan.captive!;
    expect(chain(nft, 'inet', 'open')[0]).toBe('ether saddr @payers ip daddr @pay tcp dport 443 accept');
    const names = plan.dnsmasq!.config.split('\n').filter((line) => line.endsWith('#pay'));
    expect(names).toEqual(['nftset=/pay.example.com/4#inet#yunxun_captive#pay']);
    expect(planOf({}, ['LAN1']).captive!.nft).not.toMatch(/@pay/);
  });
});

describe('IPv6', () => {
  it('is gated like IPv4, by MAC, and no guest is a router', () => {
    const { nft, bridges } = planOf({}, ['LAN1']).captive!;
    expect(bridges).toBeUndefined();
    expect(chain(nft, 'inet', 'hosted')[0]).toBe('icmpv6 type { nd-router-advert, nd-redirect } jump advertised');
    expect(chain(nft, 'inet', 'advertised')).toEqual(['ether saddr { 02:00:00:00:00:09 } accept', 'drop']);
    const gated = chain(nft, 'inet', 'gated');
    expect(gated.indexOf('meta l4proto 41 drop')).toBeLessThan(gated.indexOf('jump open'));
    expect(gated.at(-1)).toBe('drop');
  });

  it('is gated between the ports of a bridge, where the kernel can', () => {
    const { nft, bridges } = planOf().captive!;
    expect(bridges).toBe(true);
    expect(chain(nft, 'bridge', 'gated')).toEqual([
      'ether saddr { 02:00:00:00:00:09 } accept',
      'meta protocol { 8021q, 8021ad } drop',
      'meta protocol ip6 icmpv6 type { nd-router-advert, nd-redirect } drop',
      'meta protocol ip6 udp dport 546 drop',
      'ether saddr @guests accept',
      'meta protocol @away accept',
      'ip saddr { 192.168.1.20 } accept',
      'ip6 saddr { 2001:db8::20 } accept',
      'ip6 daddr != { fe80::/10, ff00::/8 } drop',
      'meta l4proto 41 drop',
    ]);
    expect(chain(nft, 'bridge', 'between').slice(1)).toEqual([
      'iifname { "eth1", "eth2" } meta mark set meta mark or 0x80',
      'iifname { "eth1", "eth2" } jump gated',
    ]);
    const unable = { ...facts, abilities: { ...facts.abilities, captiveBridge: false } };
    expect(planOf({}, undefined, unable).captive).toMatchObject({ nft: expect.not.stringContaining('bridge') });
  });

  it('is gated on its way back into the bridge too, except frames between ports', () => {
    const gate = (...args: Parameters<typeof planOf>) => chain(planOf(...args).captive!.nft, 'inet', 'gate').slice(1);
    const own = '"yx-lan"';
    expect(gate()).toEqual([
      `iifname ${own} oifname ${own} meta mark and 0x80 != 0 accept`,
      `iifname { ${own} } jump gated`,
    ]);
    expect(gate({}, ['LAN1'])).toEqual(['iifname { "eth1" } jump gated']);
  });

  it('loses the table between ports with the ports, and with the portal', () => {
    const inputs = (before: Plan, after: Plan) =>
      changes(before, after, nothingOwned, '/run/x').flatMap((step) =>
        step.do === 'run' && step.input?.includes('yunxun_captive') ? [step.input] : [],
      );
    const gone = 'table bridge yunxun_captive\ndelete table bridge yunxun_captive\n';
    expect(inputs(planOf(), planOf({}, ['LAN1'])).join('')).toMatch(new RegExp(`${gone}$`));
    expect(inputs(planOf(), emptyPlan).join('')).toContain(gone);
    expect(inputs(planOf({}, ['LAN1']), emptyPlan).join('')).not.toContain('bridge');
  });
});

describe.skipIf(reason !== null)('nft', () => {
  it('loads the tables, again over themselves, and their clients', () => {
    for (const made of [planOf(), planOf({ ranges }), planOf({ ranges, exempt_macs: [] }, ['LAN1'])]) {
      const { nft, bridges = false } = made.captive!;
      const clients =
        admit([{ mac: '02:00:00:00:00:01', seconds: 5 }], bridges) +
        expel(['02:00:00:00:00:02'], bridges) +
        openForAll(90, bridges);
      expect(ruleErrorOf(['nft', '-f', '-'], `${nft}${nft}${clients}`)).toBe('');
    }
    const { nft } = planOf({ pay: ['pay.example.com'] }).captive!;
    expect(ruleErrorOf(['nft', '-f', '-'], `${nft}${nft}${admitPayer('02:00:00:00:00:01', 600)}`)).toBe('');
  });
});
