import { asList, asRecord, asText } from '@yunxun/contract/device';

export function addressesOf(printed: string, macs: readonly string[]): string[] {
  let entries: readonly unknown[] = [];
  try {
    entries = asList(JSON.parse(printed));
  } catch {
    // unreadable output counts as an empty table
  }
  return entries.flatMap((entry) => {
    const { dst, lladdr } = asRecord<{ dst: string; lladdr: string }>(entry);
    const [address, mac] = [asText(dst, 45), asText(lladdr, 17)?.toLowerCase()];
    return address !== null && mac !== undefined && macs.includes(mac) && /^[0-9a-f.:]+$/i.test(address)
      ? [address]
      : [];
  });
}
