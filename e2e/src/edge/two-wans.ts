import { smallGateway } from './host.ts';
import type { Lab } from './lab.ts';

/** Both by DHCP, probed every second; the first is preferred. */
export function twoWans(uuid: number) {
  const document = smallGateway(uuid);
  const wan = (name: string, port: string, metric: number) => ({
    name,
    role: 'upstream',
    metric,
    ethernet: [{ 'select-ports': [port] }],
    ipv4: { addressing: 'dynamic' },
  });
  const probe = { every_s: 1, fails: 2, recovers: 2 };
  return {
    ...document,
    interfaces: [wan('First', 'WAN1', 1), wan('Second', 'WAN2', 2), document.interfaces[1]],
    'third-party': {
      yunxun: { confirm_s: 60, lines: ['First', 'Second'].map((name) => ({ interface: name, probe })) },
    },
  };
}

/** Returns the address that a client's requests come from; `none` without an answer. */
export async function wayOutOf(lab: Lab): Promise<string> {
  const answer = await lab.call('a', { url: 'http://192.0.2.10/whoami', timeoutS: 3 }).catch(() => null);
  return answer?.text ?? 'none';
}
