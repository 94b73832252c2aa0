export interface DumpedTunnel {
  privateKey: string;
  listenPort: number;
  peers: ReadonlyMap<string, DumpedSettings>;
}

interface DumpedSettings {
  endpoint: string | null;
  allowed: string;
  /** Seconds. */
  keepalive: number | null;
}

/** Returns equal texts for equal sets: `wg` lists prefixes in its own order. */
export const prefixText = (prefixes: readonly string[]): string => [...new Set(prefixes)].toSorted().join();

/** Parses `wg show all dump` by device: five fields for an interface, nine for a peer. */
export function readTunnels(text: string): Map<string, DumpedTunnel> {
  const tunnels = new Map<string, DumpedTunnel & { peers: Map<string, DumpedSettings> }>();
  for (const line of text.split('\n')) {
    const fields = line.split('\t');
    const [device = '', key = '', , third = '', fourth = '', , , , last] = fields;
    if (fields.length === 5) tunnels.set(device, { privateKey: key, listenPort: Number(third), peers: new Map() });
    else if (fields.length === 9)
      tunnels.get(device)?.peers.set(key, {
        endpoint: third === '(none)' ? null : third,
        allowed: prefixText(fourth.split(',')),
        keepalive: last === 'off' ? null : Number(last),
      });
  }
  return tunnels;
}
