import { socketOf, uplinkName, vlanOf } from '@yunxun/contract/uplink-names';

export interface SetWan {
  port: string;
  vlan?: number | null;
}

export function isUplink({ port, vlan }: SetWan, name: string): boolean {
  return uplinkName(port, vlan ?? 0) === name;
}

export function uplinkPlace(name: string): string {
  const socket = socketOf(name);
  const vlan = vlanOf(name);
  return socket === null ? name : vlan ? `${socket} · VLAN ${vlan}` : socket;
}

/** Unknown ones last. */
export function inOrder<Wan extends { interface: string }>(
  reported: readonly Wan[],
  settings: readonly SetWan[],
): Wan[] {
  const rank = (wan: Wan) => {
    const at = settings.findIndex((set) => isUplink(set, wan.interface));
    return at < 0 ? settings.length : at;
  };
  return reported.toSorted((a, b) => rank(a) - rank(b));
}
