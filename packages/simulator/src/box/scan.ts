import { asText, type EdgeScanHost, type EdgeScanResult, type EdgeToolResult } from '@yunxun/contract/device';
import { dotted, networkOf, networkText, readSubnet } from '@yunxun/contract/ipv4';
import type { ActionResult } from '@yunxun/edge';

/** Simulated milliseconds of a scan. */
const scanMs = 3000;

const cast = { by: 'mdns', type: 'smart_device', name: 'Lobby screen', model: 'Chromecast' } as const;
const bridge = { by: 'ssdp', type: 'smart_device', name: null, model: 'IpBridge/1.56.0' } as const;

/** Host part of the address, and what stands there. */
const equipment: readonly (Omit<EdgeScanHost, 'address'> & { host: number })[] = [
  {
    host: 64,
    mac: 'bcad28000064',
    hostname: 'door-camera',
    ports: [80, 554, 8000],
    findings: [{ by: 'onvif', type: 'camera', name: 'IP CAMERA', model: 'DS-2CD2143G0-I' }],
  },
  {
    host: 70,
    mac: '008077000070',
    hostname: 'till-printer',
    ports: [80, 515, 631, 9100],
    findings: [
      { by: 'ipp', type: 'printer', name: null, model: 'Brother HL-L2350DW series' },
      { by: 'mdns', type: 'printer', name: 'Brother HL-L2350DW', model: 'Brother HL-L2350DW series' },
    ],
  },
  { host: 81, mac: '48d6d5000081', hostname: null, ports: [8008, 8443], findings: [cast] },
  {
    host: 90,
    mac: '001132000090',
    hostname: 'nas',
    ports: [22, 443, 445],
    findings: [{ by: 'snmp', type: 'server', name: 'nas', model: 'Synology' }],
  },
  { host: 95, mac: '001788000095', hostname: null, ports: [80], findings: [bridge] },
];

/** Finds cameras, printers and others in the LAN of a simulated site. */
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
