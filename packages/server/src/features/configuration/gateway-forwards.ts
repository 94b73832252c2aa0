import type { gateway } from '@yunxun/contract';
import {
  clash,
  dhcpClientPort,
  type ForwardedPorts,
  holdsPort,
  isHost,
  readAddress,
  readPorts,
  type Subnet,
  shiftedPorts,
} from '@yunxun/contract/ipv4';
import type { ValidationErrors } from './validation-errors.ts';

const sshPort = 22;

/** Targets must be in a LAN; WAN ports unused. `lans` null: invalid. */
export function checkForwards(
  forwards: readonly gateway.GatewayForward[],
  lans: readonly Subnet[] | null,
  ssh: boolean,
  errors: ValidationErrors,
): void {
  const taken: ForwardedPorts[] = [];
  for (const [index, { protocol, port, address: text, to_port: inner }] of forwards.entries()) {
    const at = `forwards.${index}`;
    checkTarget(text, lans, `${at}.address`, errors);
    const outside = readPorts(port);
    const inside = inner === null ? outside : readPorts(inner);
    if (!outside) errors.add(`${at}.port`, 'validation.ports');
    if (inner !== null && !inside) errors.add(`${at}.to_port`, 'validation.ports');
    if (!outside) continue;
    const forwarded = { ...outside, protocol };
    if (protocol !== 'tcp' && holdsPort(outside, dhcpClientPort))
      errors.add(`${at}.port`, 'validation.portReserved', { port: dhcpClientPort });
    if (ssh && protocol !== 'udp' && holdsPort(outside, sshPort))
      errors.add(`${at}.port`, 'validation.portSsh', { port: sshPort });
    if (taken.some((other) => clash(other, forwarded))) errors.add(`${at}.port`, 'validation.portForwarded');
    taken.push(forwarded);
    if (!inside) continue;
    const length = outside.last - outside.first + 1;
    if (inside.last - inside.first + 1 !== length) errors.add(`${at}.to_port`, 'validation.portsDiffer');
    else if (length > shiftedPorts && inside.first !== outside.first)
      errors.add(`${at}.to_port`, 'validation.portsShifted', { max: shiftedPorts });
  }
}

function checkTarget(text: string, lans: readonly Subnet[] | null, field: string, errors: ValidationErrors): void {
  const address = readAddress(text);
  const lan = address === null ? undefined : lans?.find((own) => isHost(own, address));
  if (address === null) errors.add(field, 'validation.ip');
  else if (lans && !lan) errors.add(field, 'validation.inNoLan');
  else if (lan?.address === address) errors.add(field, 'validation.ownAddress');
}
