import { captiveForms, deviceForm } from '@yunxun/contract/device';
import { dotted, networkText, type Subnet } from '@yunxun/contract/ipv4';

/**
 * Each accepts a closed character set, safe for nft, dnsmasq, tc and ip, and throws otherwise: documents are validated.
 * Free-text names are never written.
 */

export function device(name: string): string {
  return closed(name, deviceForm);
}

export function quotedDevice(name: string): string {
  return `"${device(name)}"`;
}

export function address(value: number): string {
  return closed(dotted(value), /^\d{1,3}(\.\d{1,3}){3}$/);
}

/** Takes a dotted IPv4 address. */
export function v4(value: string): string {
  return closed(value, /^\d{1,3}(\.\d{1,3}){3}$/);
}

export function v6(value: string): string {
  return closed(value, captiveForms.ipv6);
}

export function domainName(value: string): string {
  return closed(value, /^[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9])?$/);
}

export function addressWithPrefix({ address: own, prefix }: Subnet): string {
  return `${address(own)}/${whole(prefix)}`;
}

export function network(subnet: Subnet): string {
  return closed(networkText(subnet), /^\d{1,3}(\.\d{1,3}){3}\/\d{1,2}$/);
}

export function mac(value: string): string {
  return closed(value, /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/);
}

export function whole(value: number): string {
  return closed(String(value), /^\d{1,10}$/);
}

export function hex(value: number): string {
  return `0x${closed(value.toString(16), /^[0-9a-f]{1,8}$/)}`;
}

export function path(value: string): string {
  return closed(value, /^(\/[A-Za-z0-9_.-]+)+$/);
}

export function httpsAddress(value: string): string {
  return closed(value, captiveForms.api);
}

export function setOf(members: readonly string[]): string {
  return `{ ${members.join(', ')} }`;
}

function closed(value: string, form: RegExp): string {
  if (!form.test(value)) throw new Error(`${JSON.stringify(value)} must not go into a file`);
  return value;
}
