import { socketOf, uplinkName, vlanOf } from '@yunxun/contract/uplink-names';

export interface SetLine {
  port: string;
  vlan?: number | null;
}

export function isUplink({ port, vlan }: SetLine, name: string): boolean {
  return uplinkName(port, vlan ?? 0) === name;
}

export function uplinkPlace(name: string): string {
  const socket = socketOf(name);
  const vlan = vlanOf(name);
  return socket === null ? name : vlan ? `${socket} · VLAN ${vlan}` : socket;
}

/** Unknown ones last. */
export function inOrder<Line extends { interface: string }>(
  reported: readonly Line[],
  settings: readonly SetLine[],
): Line[] {
  const rank = (line: Line) => {
    const at = settings.findIndex((set) => isUplink(set, line.interface));
    return at < 0 ? settings.length : at;
  };
  return reported.toSorted((a, b) => rank(a) - rank(b));
}
