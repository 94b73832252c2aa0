import { dotted, networkText, type Subnet } from '@yunxun/contract/ipv4';
import { deviceForm } from '../document/ports.ts';

/**
 * The only ways by which a value gets into a file or an argument. Each knows a closed set of characters that mean nothing
 * to nft, dnsmasq, tc or ip, and throws at anything else: what a document holds has been read before, so that would be a
 * fault of ours, and it must not become a line of a file. Names that people gave go nowhere.
 */

/** A device, as it stands in dnsmasq's file and in arguments. */
export function device(name: string): string {
  return closed(name, deviceForm);
}

/** A device in quotes, as nft has it. */
export function quotedDevice(name: string): string {
  return `"${device(name)}"`;
}

/** `192.168.1.1` */
export function address(value: number): string {
  return closed(dotted(value), /^\d{1,3}(\.\d{1,3}){3}$/);
}

/** `192.168.1.1/24` */
export function addressWithPrefix({ address: own, prefix }: Subnet): string {
  return `${address(own)}/${whole(prefix)}`;
}

/** `192.168.1.0/24` */
export function network(subnet: Subnet): string {
  return closed(networkText(subnet), /^\d{1,3}(\.\d{1,3}){3}\/\d{1,2}$/);
}

/** `02:00:00:00:00:01` */
export function mac(value: string): string {
  return closed(value, /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/);
}

/** A number without sign or exponent. */
export function whole(value: number): string {
  return closed(String(value), /^\d{1,10}$/);
}

/** `0x3c00` */
export function hex(value: number): string {
  return `0x${closed(value.toString(16), /^[0-9a-f]{1,8}$/)}`;
}

/** An absolute path of plain characters. */
export function path(value: string): string {
  return closed(value, /^(\/[A-Za-z0-9_.-]+)+$/);
}

/** A set of nft: `{ a, b }`. Must not be empty. */
export function setOf(members: readonly string[]): string {
  return `{ ${members.join(', ')} }`;
}

function closed(value: string, form: RegExp): string {
  if (!form.test(value)) throw new Error(`${JSON.stringify(value)} must not go into a file`);
  return value;
}
