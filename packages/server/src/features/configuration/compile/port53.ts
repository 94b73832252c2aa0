import type { gateway } from '@yunxun/contract';
import type { Findings } from './findings.ts';
import type { DeviceFacts } from './intent.ts';

/**
 * Checks whether another DNS server has the gateway's place: the configuration would fail unless the agent may stop it.
 */
export function checkPort53(settings: gateway.GatewaySettings | null, device: DeviceFacts, findings: Findings): void {
  const listeners = device.report?.port53 ?? [];
  const listener = listeners.find((one) => one.service === null) ?? listeners[0];
  if (!listener || settings?.networks.length === 0) return;
  const { address, process, service } = listener;
  const about = { process: service ?? process ?? '', address, port: 53 };
  const able = device.capabilities?.yunxun?.abilities?.port53 === true;
  if (service === null || !able) findings.wrong('port53_no_service', 'take_port53', about);
  else if (settings?.take_port53) findings.adjusted('port53_taken', 'take_port53', about);
  else findings.wrong('port53_in_use', 'take_port53', about);
}
