import { asText, type EdgeScanHost, type EdgeScanResult, type EdgeToolResult } from '@yunxun/contract/device';
import { dotted, networkOf, networkText, readSubnet } from '@yunxun/contract/ipv4';
import type { ActionResult } from '@yunxun/edge';

/** Simulated milliseconds of a scan. */
const scanMs = 3000;

/** Host part of the address, and what stands there. */
const equipment: readonly (Omit<EdgeScanHost, 'address'> & { host: number })[] = [
  { host: 64, mac: 'bcad28000064', hostname: 'door-camera', ports: [80, 554, 8000] },
  { host: 70, mac: '008077000070', hostname: 'till-printer', ports: [80, 515, 631, 9100] },
  { host: 90, mac: '001132000090', hostname: 'nas', ports: [22, 443, 445] },
];

/** Finds a camera, a printer and a server in the LAN of a simulated site. */
export class SimulatedScan {
  #id: string | null = null;
  #startedMs = 0;
  #stopped = false;

  act(params: Readonly<Record<string, unknown>>, lan: string, nowMs: number): ActionResult & { tool?: EdgeToolResult } {
    const id = asText(params.id, 64);
    if (params.act === 'start' && id !== this.#id) [this.#id, this.#startedMs, this.#stopped] = [id, nowMs, false];
    if (params.act === 'stop') this.#stopped = true;
    const subnet = readSubnet(lan);
    if (this.#id === null || subnet === null) return { error: 0, text: 'Success' };
    const part = Math.min(1, (nowMs - this.#startedMs) / scanMs);
    const found = equipment.slice(0, Math.floor(part * equipment.length));
    const scan: EdgeScanResult = {
      id: this.#id,
      state: this.#stopped ? 'stopped' : part < 1 ? 'running' : 'done',
      done: Math.round(part * 300),
      total: 300,
      subnets: [networkText(subnet)],
      hosts: found.map(({ host, ...rest }) => ({ address: dotted(networkOf(subnet) + host), ...rest })),
    };
    return { error: 0, text: 'Success', tool: { scan } };
  }
}
