export type TileFault = 'marks' | 'scheme' | 'person' | 'host' | 'https';

export interface TileAddress {
  /** Null: the console's own. */
  origin: string | null;
}

/** Takes an address with `{z}`, `{x}`, `{y}`, or such a path. */
export function readTileAddress(text: string, publicUrl: string): TileAddress | { fault: TileFault } {
  const marks = (text.match(/\{[^{}]*\}/g) ?? []).toSorted().join('');
  if (marks !== '{x}{y}{z}') return { fault: 'marks' };
  const tile = (number: string, base?: string) => {
    const address = text.replaceAll(/\{[xyz]\}/g, number);
    return URL.canParse(address, base) ? new URL(address, base) : null;
  };
  if (text.startsWith('/') && tile('0', publicUrl)?.origin === publicUrl) return { origin: null };
  const url = tile('0');
  if (!url || !/^https?:$/.test(url.protocol)) return { fault: 'scheme' };
  if (url.username || url.password) return { fault: 'person' };
  // a content security policy reads * as a wildcard and has no IPv6 hosts
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(url.hostname) || url.origin !== tile('1')?.origin) return { fault: 'host' };
  if (url.protocol === 'http:' && publicUrl.startsWith('https:')) return { fault: 'https' };
  return { origin: url.origin };
}
