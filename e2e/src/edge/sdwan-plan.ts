import type { EdgeSdwan, EdgeSdwanInterface } from '@yunxun/contract/device';
import { gatewayOf, type Site, siteNames, sites } from './sdwan-sites.ts';

export interface Star {
  uuid: number;
  keys: Readonly<Record<Site, string>>;
  /** Ordered pairs that may not talk. */
  forbidden?: readonly (readonly [Site, Site])[];
  /** kbit/s. */
  rate?: number;
  /** Known to the centres, never there. */
  added?: string;
}

const prefixOf = (site: Site) => `${sites[site].seen}.0/24`;
const overlayOf = (site: Site) => `${sites[site].overlay}/32`;
const behind = (site: Site) => [prefixOf(site), overlayOf(site)];
const others = (...without: Site[]) => siteNames.filter((site) => !without.includes(site));
const ports = { A: 51_821, B: 51_822 } as const;

/** As the console compiles it: main centre A, backup B. */
export function starDocument(site: Site, star: Star): { uuid: number } & Record<string, unknown> {
  const { wan, lan } = sites[site];
  const hub = site === 'A' || site === 'B';
  const sdwan: EdgeSdwan = {
    id: 'star',
    revision: `r${star.uuid}`,
    address: sites[site].overlay,
    ...(hub ? centre(site, star) : branch(site, star)),
    lans: [{ prefix: `${lan}.0/24`, ...(lan === sites[site].seen ? {} : { as: prefixOf(site) }) }],
    ...(site === 'D' && star.rate !== undefined ? { up_kbps: star.rate } : {}),
    failover: { probe_ms: 500, fails: 3, recovers: 3, hold_s: 2, order: 'preferred' },
  };
  return {
    uuid: star.uuid,
    interfaces: [
      {
        name: 'WAN',
        role: 'upstream',
        ethernet: [{ 'select-ports': ['WAN1'] }],
        ipv4: { addressing: 'static', subnet: `${wan}/24`, gateway: gatewayOf(site), 'use-dns': ['192.0.2.53'] },
      },
      {
        name: 'LAN',
        role: 'downstream',
        ethernet: [{ 'select-ports': ['LAN1'] }],
        ipv4: { addressing: 'static', subnet: `${lan}.1/24` },
      },
    ],
    metrics: { statistics: { interval: 60, types: [] } },
    'third-party': { yunxun: { confirm_s: 60, sdwan: [sdwan] } },
  };
}

type Way = Pick<EdgeSdwan, 'interfaces' | 'routes' | 'forward'>;

function branch(site: Site, { keys }: Star): Way {
  const uplink = (centre: 'A' | 'B', name: string): EdgeSdwanInterface => ({
    name,
    listen_port: ports[centre],
    mtu: 1420,
    peers: [
      {
        public_key: keys[centre],
        address: sites[centre].overlay,
        allowed: others(site).flatMap(behind),
        endpoint: { host: sites[centre].wan, port: ports[centre] },
        keepalive_s: 5,
      },
    ],
  });
  const way = (centre: 'A' | 'B') => ({ interface: centre === 'A' ? 'sdmain' : 'sdbak', probe: sites[centre].overlay });
  return {
    interfaces: [uplink('A', 'sdmain'), uplink('B', 'sdbak')],
    routes: others(site).map((to) => ({
      prefix: prefixOf(to),
      candidates: to === 'B' ? [way('B'), way('A')] : [way('A'), way('B')],
    })),
    forward: [],
  };
}

function centre(site: 'A' | 'B', { keys, forbidden = [], added }: Star): Way {
  const other = site === 'A' ? 'B' : 'A';
  const branches = others('A', 'B');
  const fifth = { address: '100.64.0.5', allowed: ['10.55.0.0/24', '100.64.0.5/32'] };
  return {
    interfaces: [
      {
        name: 'sddown',
        listen_port: ports[site],
        mtu: 1420,
        peers: [
          ...branches.map((to) => ({ public_key: keys[to], address: sites[to].overlay, allowed: behind(to) })),
          ...(added === undefined ? [] : [{ public_key: added, ...fifth }]),
        ],
      },
      {
        name: 'sdhub',
        listen_port: 51_823,
        mtu: 1420,
        peers: [
          {
            public_key: keys[other],
            address: sites[other].overlay,
            allowed: others(site).flatMap(behind),
            endpoint: { host: sites[other].wan, port: 51_823 },
          },
        ],
      },
    ],
    routes: [
      { prefix: prefixOf(other), candidates: [{ interface: 'sdhub', probe: sites[other].overlay }] },
      ...branches.map((to) => ({
        prefix: prefixOf(to),
        candidates: [
          { interface: 'sddown', probe: sites[to].overlay },
          { interface: 'sdhub', probe: sites[other].overlay },
        ],
      })),
    ],
    forward: others(site)
      .flatMap((from) => others(site, from).map((to) => [from, to] as const))
      .filter((pair) => !forbidden.some(([from, to]) => from === pair[0] && to === pair[1]))
      .map(([from, to]) => ({ from: prefixOf(from), to: prefixOf(to) })),
  };
}
