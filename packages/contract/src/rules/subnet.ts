import type { Rule, RuleError } from './rule.ts';

/** 0-255 without leading zeros. */
const octet = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
export const ipv4Pattern = new RegExp(`^${octet}\\.${octet}\\.${octet}\\.${octet}$`);
/** This-network, loopback, link-local and multicast. */
const unusable = /^(0|127|22[4-9]|23\d|169\.254)\./;

/** Clears host bits; null if malformed. */
export function canonicalSubnet(text: string): string | null {
  const [address = '', prefix = '', ...rest] = text.split('/');
  const octets = ipv4Pattern.exec(address)?.slice(1);
  if (!octets || rest.length || !/^([89]|[12]\d|3[0-2])$/.test(prefix)) return null;
  const masked = octets.map((part, index) => {
    const bits = Math.min(8, Math.max(0, Number(prefix) - index * 8));
    return Number(part) & (0xff00 >> bits) & 0xff;
  });
  return `${masked.join('.')}/${prefix}`;
}

/** IPv4 CIDR, prefix 8 to 32. Offers the canonical form. */
export const subnet: Rule = {
  key: 'subnet',
  test: (value) => !unusable.test(value) && canonicalSubnet(value) === value,
  explain(value): RuleError {
    const canonical = canonicalSubnet(value);
    if (!canonical) return { key: 'validation.subnet', params: {} };
    if (unusable.test(value)) return { key: 'validation.subnetUnusable', params: {} };
    return { key: 'validation.subnetHostBits', params: { canonical } };
  },
};
