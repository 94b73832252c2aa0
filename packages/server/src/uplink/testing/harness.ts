import { once } from 'node:events';
import { type ConnectionOptions, connect as tlsConnect } from 'node:tls';
import { normaliseSerial } from '@yunxun/contract/device';
import WebSocket from 'ws';
import { type Bus, createLocalBus } from '../../platform/bus/index.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { silentLog } from '../../platform/log.ts';
import { createMetrics, type Metrics } from '../../platform/metrics.ts';
import { digestOf } from '../../telemetry/extract/digest.ts';
import type { PresenceStore } from '../../telemetry/presence.ts';
import { type Authority, present } from '../authority.ts';
import { issueServerCertificate, makeAuthority } from '../certificates.ts';
import { DeviceCommands } from '../device-commands.ts';
import type { PortTimes } from '../device-port.ts';
import type { Connect, DeviceRef, Disconnect, Link, UplinkHandlers } from '../ports.ts';
import { receive } from '../receive.ts';
import type { Refusal } from '../refusals.ts';
import { startUplink, type Uplink } from '../uplink.ts';
import { makeRequest } from './device-keys.ts';

export type HandlerCall =
  | { what: 'connected'; device: DeviceRef; connect: Connect; link: Link }
  | { what: 'disconnected'; device: DeviceRef; info: Disconnect }
  | { what: 'message'; device: DeviceRef; method: string; params: Readonly<Record<string, unknown>> }
  | { what: 'restarting' | 'seen'; device: DeviceRef };

export interface TestUplink {
  uplink: Uplink;
  authority: Authority;
  bus: Bus;
  commands: DeviceCommands;
  metrics: Metrics;
  calls: HandlerCall[];
  refusals: Omit<Refusal, 'accountId'>[];
  passwords: Map<string, string>;
  states: Readonly<Record<string, unknown>>[];
  accountId: string;
  revoked: Set<string>;
  unbound: Set<string>;
  unknown: Set<string>;
  /** Serials that another account unbound last. */
  soldBy: Set<string>;
  enrol(serial: string): Promise<DeviceCredential>;
  stop(): Promise<void>;
}

export interface DeviceCredential {
  serial: string;
  key: string;
  cert: string;
}

export interface TestUplinkOptions {
  clock?: Clock;
  times?: Partial<PortTimes>;
  bus?: Bus;
  beside?: TestUplink;
  clientCas?: string[];
  handlers?: Partial<UplinkHandlers>;
  admit?: () => Promise<void>;
  vouchEvery?: number;
  maxInAll?: number;
  end?: () => Promise<void>;
  commit?: () => Promise<void>;
}

const stores = new WeakMap<Uplink, PresenceStore>();

export async function startTestUplink(options: TestUplinkOptions = {}): Promise<TestUplink> {
  const accountId = '0199d0aa-0000-7000-8000-000000000001';
  const authority = options.beside?.authority ?? (await testAuthority('localhost'));
  const bus = options.bus ?? options.beside?.bus ?? createLocalBus(() => undefined);
  const links = options.beside ? (stores.get(options.beside.uplink) as PresenceStore) : memoryLinks(options.end);
  const calls: HandlerCall[] = [];
  const refusals: Omit<Refusal, 'accountId'>[] = [];
  const passwords = new Map<string, string>();
  const states: Readonly<Record<string, unknown>>[] = [];
  const revoked = options.beside?.revoked ?? new Set<string>();
  const [unbound, unknown, soldBy] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const metrics = createMetrics();
  const uplink = await startUplink({
    turns: 6,
    host: '127.0.0.1',
    port: 0,
    authority,
    clientCas: options.clientCas ?? [],
    bus,
    clock: options.clock ?? systemClock,
    log: silentLog(),
    metrics,
    links,
    times: { sweep: 20, ...options.times },
    ...(options.vouchEvery && { vouchEvery: options.vouchEvery }),
    ...(options.maxInAll && { maxInAll: options.maxInAll }),
    admission: {
      async admit(peer) {
        await options.admit?.();
        if (unbound.has(peer.serial)) return { refused: 'unbound' };
        if (unknown.has(peer.serial)) return { refused: 'not-enrolled' };
        return revoked.has(peer.fingerprint) ? { refused: 'certificate-revoked' } : { accountId, shared: false };
      },
      wasUnboundElsewhere: async ({ serial }) => soldBy.has(serial),
    },
    refusals: { record: (refusal) => refusals.push(refusal), flush: async () => undefined },
    sharing: { takenOver: async () => undefined, admits: async () => null, heldOffAt: async () => null },
    renewals: { renew: async () => ({ refused: 'certificate' }) },
    passwords: { store: async (device, password) => void passwords.set(device.serial, password) },
    reports: {
      prepare: () => undefined,
      async state(device, frame) {
        await options.commit?.();
        const received = receive(frame);
        const inflated = received.inflated ?? 0;
        if (received.kind === 'invalid') return { outcome: 'invalid', inflated, why: received.why };
        if (received.kind !== 'message' || received.method !== 'state') return { outcome: 'other', inflated };
        const { params } = received;
        if (params.serial !== undefined && normaliseSerial(params.serial) !== device.serial)
          return { outcome: 'other', inflated };
        states.push(params);
        calls.push({ what: 'message', device, method: 'state', params });
        return { outcome: 'committed', inflated, digest: digestOf(params) };
      },
      event: () => options.commit?.() ?? null,
      healthcheck: async () => true,
    },
    handlers: {
      enrolled: async () => undefined,
      lapsed: async () => undefined,
      taken: async () => undefined,
      renewed: async () => undefined,
      shared: async () => undefined,
      connected: async (device, connect, link) => void calls.push({ what: 'connected', device, connect, link }),
      disconnected: async (device, info) => void calls.push({ what: 'disconnected', device, info }),
      message: async (device, method, params) => void calls.push({ what: 'message', device, method, params }),
      reported: async () => undefined,
      restarting: async (device) => void calls.push({ what: 'restarting', device }),
      seen: async (devices) => void calls.push(...devices.map((device) => ({ what: 'seen' as const, device }))),
      neighbours: async () => [],
      flow: async () => null,
      ...options.handlers,
    },
  });
  stores.set(uplink, links);
  return {
    uplink,
    authority,
    bus,
    commands: new DeviceCommands(bus),
    metrics,
    calls,
    refusals,
    passwords,
    states,
    accountId,
    revoked,
    unbound,
    unknown,
    soldBy,
    enrol: (serial) => enrolWith(authority, serial),
    stop: () => uplink.stop(),
  };
}

export async function testAuthority(host: string): Promise<Authority> {
  const own = await makeAuthority(new Date());
  return present(own, await issueServerCertificate(own, host, new Date()));
}

export async function enrolWith(authority: Authority, serial: string, name = serial): Promise<DeviceCredential> {
  const { key, csr } = await makeRequest(name);
  return { serial, key, cert: (await authority.issue(csr, name, new Date())).certificate };
}

function memoryLinks(ending?: () => Promise<void>): PresenceStore {
  const rows = new Map<string, { epoch: number; node: string; open: boolean; device: DeviceRef; at: Date }>();
  return {
    async open(device, { node, at }) {
      const epoch = (rows.get(device.serial)?.epoch ?? 0) + 1;
      rows.set(device.serial, { epoch, node, open: true, device, at });
      return { epoch };
    },
    async close(device, epoch) {
      await ending?.();
      const row = rows.get(device.serial);
      if (!row || row.epoch !== epoch || !row.open) return false;
      row.open = false;
      return true;
    },
    touch: async () => undefined,
    nodes: async () => [...new Set([...rows.values()].filter((row) => row.open).map((row) => row.node))],
    async closeNode(node) {
      const lost = [...rows.values()].filter((row) => row.open && row.node === node);
      for (const row of lost) row.open = false;
      return lost.map(({ device, epoch, at }) => ({ ...device, epoch, node, lastFrameAt: at }));
    },
    heartbeat: async () => undefined,
  };
}

export class RawDevice {
  readonly socket: WebSocket;
  readonly frames: string[] = [];
  closed: { code: number; reason: string } | null = null;
  status: number | null = null;

  constructor(
    test: TestUplink,
    device: Partial<DeviceCredential>,
    more: { path?: string; tls?: ConnectionOptions; pong?: boolean } = {},
  ) {
    this.socket = new WebSocket(`wss://localhost:${test.uplink.port}${more.path ?? '/'}`, {
      ca: test.authority.certificate,
      ...(device.key && { key: device.key, cert: device.cert as string }),
      ...more.tls,
      autoPong: more.pong ?? true,
    });
    this.socket.on('message', (data) => this.frames.push(String(data)));
    this.socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
    });
    this.socket.on('error', () => undefined);
    this.socket.on('unexpected-response', (_request, response) => {
      this.status = response.statusCode ?? 0;
      this.socket.terminate();
    });
  }

  async opened(): Promise<this> {
    if (this.socket.readyState !== WebSocket.OPEN) await once(this.socket, 'open');
    return this;
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  get commands(): { id: number; method: string; params: Record<string, unknown> }[] {
    return this.frames.map((frame) => JSON.parse(frame));
  }

  notify(method: string, params: Record<string, unknown>): void {
    this.send({ jsonrpc: '2.0', method, params });
  }

  reply(id: number, result: Record<string, unknown>): void {
    this.send({ jsonrpc: '2.0', id, result });
  }

  close(): void {
    this.socket.terminate();
  }
}

export async function connectDevice(
  test: TestUplink,
  device: DeviceCredential,
  more: Record<string, unknown> = {},
  until: (condition: () => boolean) => Promise<void>,
): Promise<RawDevice> {
  const raw = await new RawDevice(test, device).opened();
  const before = test.calls.length;
  raw.notify('connect', { ...connectParams(device.serial), ...more });
  await until(() =>
    test.calls.slice(before).some((entry) => entry.what === 'connected' && entry.device.serial === device.serial),
  );
  return raw;
}

export const connectParams = (serial: string) => ({
  serial,
  firmware: 'OpenWrt 5.1.0',
  uuid: 1,
  reason: 'coldboot',
  capabilities: { platform: 'ap', model: 'EAP102', compatible: 'edgecore_eap102', compress_cmd: true },
});

export const bareTls = (test: TestUplink, more: ConnectionOptions) =>
  tlsConnect({
    port: test.uplink.port,
    host: '127.0.0.1',
    ca: test.authority.certificate,
    servername: 'localhost',
    ...more,
  });
