/**
 * The firmware's own check of the server's name (device-protocol.md 0.9): equality, or a leading `*.` that matches any
 * depth as a plain suffix, case kept. The common name is looked at first, DNS names of the certificate only by newer
 * firmware.
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

/** Whether a device that looks for `server` stays with a server of these names. */
export function acceptsServer(server: string, names: ServerNames, readsAlternativeNames: boolean): boolean {
  if (matchHostname(server, names.commonName)) return true;
  return readsAlternativeNames && names.dns.some((name) => name.length < 256 && matchHostname(server, name));
}
