import type { Capabilities, UamCaptive } from '@yunxun/contract/device';
import { canonical, type DocumentSsid } from './document.ts';
import type { Findings } from './findings.ts';
import type { CompileInput, GuestGate, Ssid } from './intent.ts';

const isChosen = (gate: GuestGate | null | undefined, ssid: Pick<Ssid, 'id' | 'name'>): boolean =>
  gate?.ssids.some(({ id, name }) => id === ssid.id || name === ssid.name) ?? false;

/** Firmware reports its schema since 2024, and has the sign-in over its connection since 2023. */
export function isGateAble(capabilities: Capabilities | null): boolean {
  // a device that never connected may be any
  if (capabilities === null) return true;
  return capabilities.platform === 'ap' && typeof capabilities.version?.schema?.major === 'number';
}

export function gateObstacle(ssids: readonly Pick<Ssid, 'vlan' | 'keys'>[]): 'captive_keys' | 'captive_second' | null {
  const [first] = ssids;
  if (ssids.some(({ vlan, keys = [] }) => keys.some((key) => key.vlan !== null && key.vlan !== vlan)))
    return 'captive_keys';
  return ssids.some(({ vlan }) => vlan !== first?.vlan) ? 'captive_second' : null;
}

/** Leaves out SSIDs that cannot have the sign-in: the firmware gates one interface, and all clients of others pass. */
export function guestGateOf({ device, gate, network, override }: CompileInput, findings: Findings) {
  const gated: Ssid[] = [];
  const leftOut = new Set<string>();
  for (const [index, ssid] of network.ssids.entries()) {
    if (!ssid.enabled || override.ssids_off.includes(ssid.id) || !isChosen(gate, ssid)) continue;
    const obstacle = isGateAble(device.capabilities) ? gateObstacle([...gated, ssid]) : 'captive_firmware';
    if (obstacle === null) gated.push(ssid);
    else {
      findings.leftOut(obstacle, `ssids.${index}`, { name: ssid.name });
      leftOut.add(ssid.id);
    }
  }
  const ids = new Set(gated.map(({ id }) => id));
  return { leftOut, isGated: ({ id }: Pick<Ssid, 'id'>) => ids.has(id) };
}

/** Of the firmware's relay. */
const disconnectsFrom = { host: '127.0.0.1', port: 3799 } as const;

/** Enhanced Open takes no Disconnect-Requests. */
export function withGate(ssid: DocumentSsid, { secret }: Pick<GuestGate, 'secret'>): DocumentSsid {
  const radius = { ...ssid.radius, 'dynamic-authorization': { ...disconnectsFrom, secret } };
  return { ...ssid, services: ['captive'], ...(ssid.encryption.proto === 'owe' ? {} : { radius }) };
}

export function captiveOf({ captive }: Pick<GuestGate, 'captive'>): UamCaptive {
  return JSON.parse(canonical(captive)) as UamCaptive;
}
