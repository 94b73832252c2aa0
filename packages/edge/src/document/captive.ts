import { isIPv6 } from 'node:net';
import type { EdgeCaptive, EdgeCaptiveAway } from '@yunxun/contract/device';
import { dotted } from '@yunxun/contract/ipv4';
import type { Network } from './document.ts';
import { type DocumentErrors, quote } from './errors.ts';
import type { Facts } from './facts.ts';
import type { ShapedSection } from './shape.ts';

const path = '/third-party/yunxun/captive';

type Shaped = NonNullable<ShapedSection['captive']>;

export function readCaptive(
  shaped: Shaped | undefined,
  networks: readonly Network[],
  { abilities }: Facts,
  errors: DocumentErrors,
): EdgeCaptive | null {
  if (shaped === undefined) return null;
  if (!abilities.dnsmasq || !abilities.nftset) {
    errors.error(path, 'needs dnsmasq with nftset, which this gateway lacks');
    return null;
  }
  const { interfaces = [], page = '', secret = '', garden = [], pay = [], exempt_macs: macs = [] } = shaped;
  for (const [index, name] of interfaces.entries()) {
    const network = networks.find((one) => one.name === name);
    if (!network) errors.error(`${path}/interfaces/${index}`, `${quote(name)} is not a downstream interface`);
    else if (!network.subnet)
      errors.error(`${path}/interfaces/${index}`, `${quote(name)} has no address to which guests could be sent`);
  }
  const ranges = readRanges(shaped, errors);
  const exempt6 = shaped.exempt_ipv6 ?? [];
  for (const [index, text] of exempt6.entries())
    if (!isIPv6(text)) errors.error(`${path}/exempt_ipv6/${index}`, `${quote(text)} is not an IPv6 address`);
  const { api } = shaped;
  if (api !== undefined && URL.canParse(page) && new URL(api).host !== new URL(page).host)
    errors.error(`${path}/api`, 'must have the host of the page');
  const away = shaped.away && readAway(shaped.away, errors);
  return {
    interfaces: [...new Set(interfaces)].toSorted(),
    page,
    secret,
    garden: [...new Set(garden)].toSorted(),
    exempt_macs: [...new Set(macs)].toSorted(),
    exempt_addresses: [...new Set((shaped.exempt_addresses ?? []).map(dotted))].toSorted(),
    ...(exempt6.length === 0 ? {} : { exempt_ipv6: [...new Set(exempt6)].toSorted() }),
    ...(ranges.length === 0 ? {} : { ranges }),
    ...(pay.length === 0 ? {} : { pay: [...new Set(pay)].toSorted() }),
    ...(api === undefined ? {} : { api }),
    ...(away ? { away } : {}),
  };
}

/** The kernel refuses overlapping ranges. */
function readRanges({ ranges = [], interfaces = [] }: Shaped, errors: DocumentErrors): EdgeCaptive['ranges'] & object {
  const read = ranges.map(({ interface: of = '', first = 0, last = 0 }) => ({ of, first, last }));
  for (const [index, { of, first, last }] of read.entries()) {
    const own = `${path}/ranges/${index}`;
    if (!interfaces.includes(of)) errors.error(`${own}/interface`, `${quote(of)} is not one of the interfaces`);
    if (last < first) errors.error(`${own}/last`, 'comes before the first');
    const before = read.slice(0, index).some((one) => one.of === of && one.first <= last && first <= one.last);
    if (before) errors.error(own, 'overlaps another range');
  }
  return read
    .toSorted((a, b) => (a.of === b.of ? a.first - b.first : a.of < b.of ? -1 : 1))
    .map(({ of, first, last }) => ({ interface: of, first: dotted(first), last: dotted(last) }));
}

function readAway(
  { zone = '', hours = [] }: NonNullable<Shaped['away']>,
  errors: DocumentErrors,
): EdgeCaptiveAway | null {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
  } catch {
    errors.error(`${path}/away/zone`, `${quote(zone)} is not a time zone that this gateway knows`);
    return null;
  }
  return { zone, hours: hours.map(({ days = [], from = '', to = '' }) => ({ days, from, to })) };
}
