import type { DataOf, switches } from '@yunxun/contract';
import { expect } from 'vitest';
import type { Registered, TestServer } from '../server.ts';
import { enrol, type Identity, listedAs, switchOf } from './device-client.ts';
import type { Json } from './peer/json.ts';
import type { Switch } from './peer/switch.ts';
import { type PortState, parseAsSwitch, switchReport } from './peer/switch-report.ts';

export type PortAnswer = DataOf<typeof switches.switchPorts>;

export const camera = '02cafe000001';
export const router = '02cafe0000fe';
export const mac = (serial: string) => serial.match(/../g)!.join(':');

/** A computer, a PoE camera, a free port, and an uplink with LLDP. */
export const wiring = (): Record<string, PortState> => ({
  Ethernet0: { speed: 1000, milliwatts: 0 },
  Ethernet1: {
    speed: 100,
    milliwatts: 6400,
    rx: 1_000_000,
    tx: 5_000_000,
    macs: { 1: [mac(camera)] },
    peer: { mac: mac(camera), name: 'Camera', port: 'eth0', description: 'IP camera', capability: ['Station'] },
  },
  Ethernet2: { speed: null, milliwatts: 0 },
  Ethernet48: {
    speed: 10_000,
    macs: { 1: [mac(router)] },
    peer: { mac: mac(router), name: 'Core', port: 'ge-0/0/1', description: 'Core', capability: ['Bridge', 'Router'] },
  },
});
export const names = Object.keys(wiring());

export function silentWiring(): Record<string, PortState> {
  const { peer: _peer, ...uplink } = wiring().Ethernet48!;
  return { ...wiring(), Ethernet48: uplink };
}

export const running = (device: Switch) => device.flash.files.get(device.flash.active) as Json | undefined;
export const configures = (device: Switch) =>
  device.received.flatMap(({ command }) => (command?.method === 'configure' ? [command.params?.config as Json] : []));

export function ethernet(document: Json | undefined): Record<string, Json> {
  const entries = (document?.ethernet ?? []) as (Json & { 'select-ports': string[] })[];
  return Object.fromEntries(entries.flatMap(({ 'select-ports': ports, ...rest }) => ports.map((port) => [port, rest])));
}

export const vlansOf = (device: Switch) =>
  ((running(device)?.interfaces ?? []) as { vlan: { id: number }; ethernet: Json[] }[]).map((entry) => [
    entry.vlan.id,
    ...entry.ethernet.map((member) => `${member['vlan-tag']} ${(member['select-ports'] as string[]).join(' ')}`),
  ]);

export interface Switched {
  identity: Identity;
  device: Switch;
  gwid: string;
}

export function switchFixture(of: () => { server: TestServer; owner: Registered }) {
  const call = <T>(path: string, input: object) => of().server.call<T>(path, input, of().owner);
  const portsOf = async (serial: string): Promise<PortAnswer> =>
    (await call<PortAnswer>('/api/v3/switch/port/list', { serial })).data;

  async function network(name: string): Promise<string> {
    const { gwid } = (await call<{ gwid: string }>('/api/v3/network/create', { remark: name })).data;
    const ssid = {
      enabled: true,
      name: 'Guests',
      security: 'psk2',
      key: 'welcome-2026',
      bands: ['5G'],
      vlan: 20,
      hidden: false,
      isolate: false,
      maximum_clients: null,
      down_mbps: null,
      up_mbps: null,
    };
    await call('/api/v3/network/wireless/save', { gwid, version: 0, ssids: [ssid], radios: [] });
    return gwid;
  }

  /** Online switch that has sent only `connect`. */
  async function silent(gwid: string): Promise<Switched> {
    const { server, owner } = of();
    const identity = await enrol(server, owner, { gwid, platform: 'switch' });
    const device = switchOf(identity, { render: parseAsSwitch(names) });
    await device.connect();
    await listedAs(server, owner, identity.serial, { status: 'online', kind: 'switch' });
    return { identity, device, gwid };
  }

  /** Also runs its first document. */
  async function settled(gwid: string, ports = wiring()): Promise<Switched> {
    const made = await silent(gwid);
    made.device.state(switchReport(ports));
    await expect.poll(() => running(made.device)).toBeDefined();
    await expect.poll(async () => (await portsOf(made.identity.serial)).ports.length).toBe(names.length);
    return made;
  }

  return { call, portsOf, network, silent, settled };
}

export const usual = (port: string): switches.PortSettings => ({
  port,
  label: '',
  enabled: true,
  poe: true,
  vlan: 1,
  tagged: null,
  speed: null,
});
