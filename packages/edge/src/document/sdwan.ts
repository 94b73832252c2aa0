import type { EdgeSdwan } from '@yunxun/contract/device';
import { dotted, isUnicast, networkOf, networkText, type Subnet } from '@yunxun/contract/ipv4';
import { type DocumentErrors, quote } from './errors.ts';
import type { Facts } from './facts.ts';
import type { ShapedSection } from './shape.ts';

type Shaped = ShapedSection['sdwan'];

const root = '/third-party/yunxun/sdwan';

/** Checks names, prefixes and 1:1 mappings; clears host bits. */
export function readSdwan(shaped: Shaped, facts: Facts, errors: DocumentErrors): EdgeSdwan[] {
  if (shaped === undefined || shaped.length === 0) return [];
  if (!facts.abilities.sdwan) {
    errors.error(root, 'needs WireGuard, which this gateway lacks');
    return [];
  }
  const taken = new Set(Object.values(facts.ports));
  const once = (seen: Set<unknown>, value: unknown, path: string, what: string) => {
    if (seen.has(value)) errors.error(path, `${quote(String(value))} is ${what} already`);
    seen.add(value);
  };
  const [ids, ports, prefixes, pins] = [new Set(), new Set(), new Set(), new Set()];
  return shaped.map((one, index): EdgeSdwan => {
    const path = `${root}/${index}`;
    const { id = '', revision: hash = '', interfaces = [], routes = [], forward = [], lans = [], failover = {} } = one;
    once(ids, id, `${path}/id`, 'a network');
    const own = host(one.address, `${path}/address`, errors);
    const devices = interfaces.map((entry, at) => {
      const { name = '', listen_port = 0, mtu = 0, peers = [] } = entry;
      const here = `${path}/interfaces/${at}`;
      once(taken, name, `${here}/name`, 'an interface of this gateway');
      once(ports, listen_port, `${here}/listen_port`, 'a listening port');
      const keys = new Set();
      return {
        name,
        listen_port,
        mtu,
        peers: peers.map((reported, place) => {
          const where = `${here}/peers/${place}`;
          once(keys, reported.public_key, `${where}/public_key`, 'a peer');
          once(pins, reported.address, `${where}/address`, 'the address of a peer');
          const { host: name = '', port: number = 0 } = reported.endpoint ?? {};
          if (reported.up_kbps !== undefined) checkShaping(`${where}/up_kbps`, facts, errors);
          return {
            public_key: reported.public_key ?? '',
            address: host(reported.address, `${where}/address`, errors),
            allowed: (reported.allowed ?? []).map((to, spot) => plain(to, `${where}/allowed/${spot}`, errors)),
            ...(reported.endpoint === undefined ? {} : { endpoint: { host: name, port: number } }),
            ...(reported.keepalive_s === undefined ? {} : { keepalive_s: reported.keepalive_s }),
            ...(reported.up_kbps === undefined ? {} : { up_kbps: reported.up_kbps }),
          };
        }),
      };
    });
    if (one.up_kbps !== undefined) checkShaping(`${path}/up_kbps`, facts, errors);
    return {
      id,
      revision: hash,
      address: own,
      interfaces: devices,
      routes: routes.map(({ prefix, candidates = [] }, at) => {
        const here = `${path}/routes/${at}`;
        const to = plain(prefix, `${here}/prefix`, errors);
        once(prefixes, to, `${here}/prefix`, 'a route');
        return {
          prefix: to,
          candidates: candidates.map((candidate, place) => {
            const probe = candidate.probe === undefined ? '' : dotted(candidate.probe);
            const device = devices.find(({ name }) => name === candidate.interface);
            if (!device?.peers.some((peer) => peer.address === probe))
              errors.error(`${here}/candidates/${place}`, `${quote(probe)} is not a peer of that interface`);
            return { interface: candidate.interface ?? '', probe };
          }),
        };
      }),
      forward: forward.map(({ from, to }, at) => ({
        from: plain(from, `${path}/forward/${at}/from`, errors),
        to: plain(to, `${path}/forward/${at}/to`, errors),
      })),
      lans: lans.map(({ prefix, as }, at) => {
        const here = `${path}/lans/${at}`;
        if (as && prefix && as.prefix !== prefix.prefix)
          errors.error(`${here}/as`, 'must have the same prefix length as the prefix that it replaces');
        return {
          prefix: plain(prefix, `${here}/prefix`, errors),
          ...(as === undefined ? {} : { as: plain(as, `${here}/as`, errors) }),
        };
      }),
      ...(one.up_kbps === undefined ? {} : { up_kbps: one.up_kbps }),
      failover: {
        probe_ms: failover.probe_ms ?? 0,
        fails: failover.fails ?? 0,
        recovers: failover.recovers ?? 0,
        hold_s: failover.hold_s ?? 0,
        order: failover.order ?? 'preferred',
      },
    };
  });
}

function host(value: number | undefined, path: string, errors: DocumentErrors): string {
  if (value !== undefined && !isUnicast(value)) errors.error(path, `${dotted(value)} is not a host address`);
  return dotted(value ?? 0);
}

function plain(value: Subnet | undefined, path: string, errors: DocumentErrors): string {
  if (value === undefined) return '';
  if (value.address !== networkOf(value)) errors.error(path, `has host bits: the network is ${networkText(value)}`);
  return networkText(value);
}

function checkShaping(path: string, facts: Facts, errors: DocumentErrors): void {
  if (!facts.abilities.shaping) errors.error(path, 'this gateway cannot limit rates: its kernel has no htb');
}
