import type { gateway } from '@yunxun/contract';
import { type Host, isMachine, readAddress, readPorts } from './compile/ipv4.ts';
import type { Complaints } from './complaints.ts';

/** Ports whose number differs inside are entries of their own in the kernel of the box: so many at once. */
const shiftedMost = 256;
/** A dynamic line's own lease comes to it. */
const dhcpClientPort = 68;
const sshPort = 22;

/** Port forwards (`lans` is null while the LANs themselves are wrong): to a machine of a LAN, no port of the lines twice, none that the box itself needs. */
export function checkForwards(
  forwards: readonly gateway.GatewayForward[],
  lans: readonly Host[] | null,
  /** The box's own SSH answers on a line. */
  ssh: boolean,
  complaints: Complaints,
): void {
  const taken: { protocol: string; first: number; last: number }[] = [];
  for (const [index, { protocol, port, address: text, to_port: inner }] of forwards.entries()) {
    const at = `forwards.${index}`;
    checkTarget(text, lans, `${at}.address`, complaints);
    const outside = readPorts(port);
    const inside = inner === null ? outside : readPorts(inner);
    if (!outside) complaints.add(`${at}.port`, 'validation.ports');
    if (inner !== null && !inside) complaints.add(`${at}.to_port`, 'validation.ports');
    if (!outside) continue;
    const { first, last } = outside;
    if (protocol !== 'tcp' && first <= dhcpClientPort && dhcpClientPort <= last)
      complaints.add(`${at}.port`, 'validation.portReserved', { port: dhcpClientPort });
    if (ssh && protocol !== 'udp' && first <= sshPort && sshPort <= last)
      complaints.add(`${at}.port`, 'validation.portSsh', { port: sshPort });
    const clash = taken.some(
      (other) =>
        (other.protocol === protocol || other.protocol === 'any' || protocol === 'any') &&
        other.first <= last &&
        first <= other.last,
    );
    if (clash) complaints.add(`${at}.port`, 'validation.portForwarded');
    taken.push({ protocol, first, last });
    if (!inside) continue;
    if (inside.last - inside.first !== last - first) complaints.add(`${at}.to_port`, 'validation.portsDiffer');
    else if (last - first >= shiftedMost && inside.first !== first)
      complaints.add(`${at}.to_port`, 'validation.portsShifted', { max: shiftedMost });
  }
}

function checkTarget(text: string, lans: readonly Host[] | null, field: string, complaints: Complaints): void {
  const address = readAddress(text);
  const lan = address === null ? undefined : lans?.find((own) => isMachine(own, address));
  if (address === null) complaints.add(field, 'validation.ip');
  else if (lans && !lan) complaints.add(field, 'validation.inNoLan');
  else if (lan?.address === address) complaints.add(field, 'validation.ownAddress');
}
