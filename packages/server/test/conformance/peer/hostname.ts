/**
 * Checks like the firmware: equality, or `*.` as a suffix of any depth. Common name first;
 * only newer firmware reads DNS names.
 */
export function matchHostname(server: string, name: string): boolean {
  if (server === name) return true;
  if (!name.startsWith('*.')) return false;
  return server.length >= name.length && server.endsWith(name.slice(1));
}

export interface ServerNames {
  commonName: string;
  dns: readonly string[];
}

export function acceptsServer(server: string, names: ServerNames, readsAlternativeNames: boolean): boolean {
  if (matchHostname(server, names.commonName)) return true;
  return readsAlternativeNames && names.dns.some((name) => name.length < 256 && matchHostname(server, name));
}
