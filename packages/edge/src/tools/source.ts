import { holds, readAddress, readSubnet } from '@yunxun/contract/ipv4';

/** Returns the first own address, by the order of prefixes; null: none. */
export function ownAddressIn(prefixes: readonly string[], own: readonly string[]): string | null {
  for (const prefix of prefixes) {
    const subnet = readSubnet(prefix);
    const found = own.find((text) => {
      const address = readAddress(text);
      return subnet !== null && address !== null && holds(subnet, address);
    });
    if (found !== undefined) return found;
  }
  return null;
}
