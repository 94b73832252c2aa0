import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type GuestRates, limitsIn, rateChange, ratesTable, wantedLimits } from './captive-rates.ts';

const devices = ['yxlan', 'yxlan.20'];

/** Follows nftables: adding what is there changes nothing, deleting what is absent fails the transaction. */
class Kernel {
  readonly limits = new Map<string, number>();
  readonly elements = new Map<string, string>();
  chains: string[] = [];

  run(text: string): void {
    for (const line of text.split('\n')) {
      if (line.startsWith('delete table')) {
        this.limits.clear();
        this.elements.clear();
        this.chains = [];
      }
      const chain = /^\tchain ([\w.-]+) \{/.exec(line)?.[1];
      if (chain) this.chains.push(chain);
      const limit = /^add limit netdev yunxun_captive (\w+) \{ rate over (\d+) bytes/.exec(line);
      if (limit && !this.limits.has(limit[1]!)) this.limits.set(limit[1]!, Number(limit[2]));
      const gone = /^delete limit netdev yunxun_captive (\w+)$/.exec(line)?.[1];
      if (gone && [...this.elements.values()].includes(gone)) throw new Error(`${gone} is in use`);
      if (gone && !this.limits.delete(gone)) throw new Error(`no limit ${gone}`);
      const [, verb, key, name] =
        /^(add|delete) element netdev yunxun_captive (\w+ \{ [0-9a-f:]+) : "(\w+)" \}$/.exec(line) ?? [];
      if (verb === 'add' && !this.limits.has(name!)) throw new Error(`no limit ${name}`);
      if (verb === 'add' && !this.elements.has(key!)) this.elements.set(key!, name!);
      if (verb === 'delete' && !this.elements.delete(key!)) throw new Error(`no element ${key}`);
    }
  }

  /** As `nft -j` lists it. */
  get listed() {
    const limits = [...this.limits].map(([name, rate]) =>
      // nft shows whole kilobytes as such
      rate % 1024 === 0
        ? { limit: { name, rate: rate / 1024, rate_unit: 'kbytes' } }
        : { limit: { name, rate, rate_unit: 'bytes' } },
    );
    const maps = ['up', 'down'].map((name) => {
      const elem = [...this.elements].flatMap(([key, limit]) =>
        key.startsWith(`${name} `) ? [[key.slice(name.length + 3), limit]] : [],
      );
      return { map: { name, elem } };
    });
    return { nftables: [{ metainfo: {} }, ...limits, ...maps, ...this.chains.map((name) => ({ chain: { name } }))] };
  }
}

const kbps = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 10_000_000 }));
const guest: fc.Arbitrary<GuestRates> = fc.record({
  mac: fc.integer({ min: 0, max: 5 }).map((n) => `02:00:00:00:00:0${n}`),
  upKbps: kbps,
  downKbps: kbps,
});

it('reaches the same limits by changes as by a new table', () => {
  fc.assert(
    fc.property(fc.array(guest, { maxLength: 12 }), ([...changes]) => {
      const kernel = new Kernel();
      const guests = new Map<string, GuestRates>([
        ['02:00:00:00:00:ff', { mac: '02:00:00:00:00:ff', upKbps: 512, downKbps: 2048 }],
      ]);
      kernel.run(ratesTable(devices, [...guests.values()]));
      for (const change of changes) {
        guests.set(change.mac, change);
        kernel.run(rateChange(change));
        expect(limitsIn(kernel.listed)).toEqual(wantedLimits(devices, [...guests.values()]));
      }
      const anew = new Kernel();
      anew.run(ratesTable(devices, [...guests.values()]));
      expect(limitsIn(kernel.listed)).toEqual(limitsIn(anew.listed));
    }),
    { numRuns: 200 },
  );
});

it('limits both directions by MAC, whatever protocol, and counts tagged frames on their VLAN', () => {
  const text = ratesTable(['yxlan'], [{ mac: '02:00:00:00:00:01', upKbps: 1000, downKbps: 0 }]);
  expect(text).toContain('type filter hook ingress device "yxlan"');
  expect(text).toContain('type filter hook egress device "yxlan"');
  expect(text).toContain('ether type != 8021q limit name ether saddr map @up drop');
  expect(text).toContain('rate over 125000 bytes/second burst 131072 bytes');
  expect(text).not.toContain('down_020000000001');
});

it('tells a table on another device from the wanted one', () => {
  const kernel = new Kernel();
  const guests = [{ mac: '02:00:00:00:00:01', upKbps: 512, downKbps: 0 }];
  kernel.run(ratesTable(['yxlan'], guests));
  expect(limitsIn(kernel.listed)).toEqual(wantedLimits(['yxlan'], guests));
  expect(limitsIn(kernel.listed)).not.toEqual(wantedLimits(['yxlan.20'], guests));
});

it('has no table without limits', () => {
  expect(ratesTable(['yxlan'], [{ mac: '02:00:00:00:00:01', upKbps: 0, downKbps: 0 }])).toBe('');
  expect(ratesTable([], [{ mac: '02:00:00:00:00:01', upKbps: 1, downKbps: 1 }])).toBe('');
});
