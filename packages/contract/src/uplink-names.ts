/**
 * Returns the report name of a port: `WAN1` is `up0v0`, `LAN3` as WAN `up103v0`. Counter history uses this name, so it
 * must not depend on priority.
 */
export function uplinkName(port: string, vlan: number): string {
  const number = Number(/\d+$/.exec(port)?.[0] ?? 1);
  return `up${port.startsWith('LAN') ? 100 + number : number - 1}v${vlan}`;
}

/** Returns the VLAN; 0: untagged, null: another name. */
export function vlanOf(uplink: string): number | null {
  const [, digits] = /^up\d{1,3}v(\d{1,4})$/.exec(uplink) ?? [];
  return digits === undefined ? null : Number(digits);
}

/** Returns the port; null for another name. */
export function socketOf(uplink: string): string | null {
  const [, digits] = /^up(\d{1,3})v\d+$/.exec(uplink) ?? [];
  if (digits === undefined) return null;
  const number = Number(digits);
  return number > 100 ? `LAN${number - 100}` : `WAN${number + 1}`;
}
