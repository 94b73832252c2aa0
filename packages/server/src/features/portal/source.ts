import { addressKey } from '../../platform/http/address.ts';
import type { Arrival } from './adapters/adapter.ts';
import type { PortalSecrets } from './secrets.ts';
import type { SiteKey } from './visit-store.ts';

/** Has a part of a limit: a device that its gateway vouches for, or an address that the other guests share. */
export interface Source {
  kind: 'device' | 'address';
  key: string;
  /** Of the request: devices behind one share its turns. */
  address: string;
}

/** Returns the MAC if vouched for, else the gateway's id. */
export function deviceKeyOf(
  secrets: PortalSecrets,
  { accountId }: SiteKey,
  { verified, mac, client }: Pick<Arrival, 'verified' | 'mac' | 'client'>,
): Buffer {
  return secrets.hash(accountId, 'device', verified && mac ? mac : `client ${client}`);
}

export function sourceOf(secrets: PortalSecrets, site: SiteKey, arrival: Arrival | null, ip: string): Source {
  const address = addressOf(ip);
  return arrival?.verified
    ? { ...address, kind: 'device', key: deviceKeyOf(secrets, site, arrival).toString('hex').slice(0, 32) }
    : address;
}

export function addressOf(ip: string): Source {
  const address = addressKey(ip);
  return { kind: 'address', key: address, address };
}
