/**
 * The name of an uplink in state reports of our agent, by its socket: `WAN1` is `up0v0`, `LAN3` as a line `up103v0`. Its
 * counters are those of the socket and whoever counts them on goes by this name, so that a line's rank must not be in it.
 */
export function uplinkName(port: string, vlan: number): string {
  const number = Number(/\d+$/.exec(port)?.[0] ?? 1);
  return `up${port.startsWith('LAN') ? 100 + number : number - 1}v${vlan}`;
}

/** The socket of an uplink by such a name (`uplinkName`); null for any other name. */
export function socketOf(uplink: string): string | null {
  const [, digits] = /^up(\d{1,3})v\d+$/.exec(uplink) ?? [];
  if (digits === undefined) return null;
  const number = Number(digits);
  return number > 100 ? `LAN${number - 100}` : `WAN${number + 1}`;
}
