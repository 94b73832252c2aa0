import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { expect } from 'vitest';
import { accessPoint, enrol, type Identity, listedAs } from '../../../../test/conformance/device-client.ts';
import type { AccessPoint } from '../../../../test/conformance/peer/access-point.ts';
import type { Json } from '../../../../test/conformance/peer/json.ts';
import type { As, Registered, TestServer } from '../../../../test/server.ts';
import { AgentDouble } from './devices.ts';

const capabilities = {
  platform: 'olg',
  compatible: 'yunxun_edge',
  model: 'Box',
  compress_cmd: true,
  yunxun: {
    agent: '0.9.0',
    abilities: { tools: true, watch: true, remote: true },
    missing: [],
    allowed: { reboot: true },
    remote: { shell: true },
  },
};

export interface Hello {
  session: string;
  token: string;
}

export interface BoxParts {
  server: TestServer;
  owner: Registered;
  gwid: string;
  identity: Identity;
  gateway: AccessPoint;
  relayPort: number;
}

/** Enrols an edge agent as the gateway of a network, in an account that allows remote access. */
export async function enrolBox(server: TestServer, { devicePort, remotePort } = server.program): Promise<BoxParts> {
  const owner = await server.register();
  const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Depot' }, owner);
  const { gwid } = data;
  const identity = { ...(await enrol(server, owner, { gwid, platform: 'olg' })), port: devicePort };
  const gateway = accessPoint(identity, { capabilities });
  await gateway.connect();
  await server.db.query('update device set gwid = $1, confirmed = true where serial = $2', [gwid, identity.serial]);
  await server.db.query('update network set gateway_serial = $1 where gwid = $2', [identity.serial, gwid]);
  await listedAs(server, owner, identity.serial, { status: 'online' });
  await server.call('/api/v3/remote/settings/save', { enabled: true, version: 1 }, owner);
  return { server, owner, gwid, identity, gateway, relayPort: remotePort };
}

/** What tests of edge agents share; each fixture opens sessions in its own way. */
export abstract class EdgeBox {
  readonly server: TestServer;
  readonly owner: Registered;
  readonly gwid: string;
  readonly identity: Identity;
  /** From an address of its LAN, with a port or for each of its ports, to a port of this machine. */
  readonly ports = new Map<string, number>();
  readonly #gateway: AccessPoint;
  readonly #relayPort: number;
  readonly #answered = new Set<unknown>();
  readonly #targets: Server[] = [];

  constructor({ server, owner, gwid, identity, gateway, relayPort }: BoxParts) {
    this.server = server;
    this.owner = owner;
    this.gwid = gwid;
    this.identity = identity;
    this.#gateway = gateway;
    this.#relayPort = relayPort;
  }

  call<T = { id: string }>(what: string, body: object = {}, as: As = this.owner) {
    return this.server.call<T>(`/api/v3/${what}`, body, as);
  }

  /** Makes a local server answer at an address of the LAN. */
  async reach(address: string, listener: Server): Promise<void> {
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    this.#targets.push(listener);
    this.ports.set(address, (listener.address() as AddressInfo).port);
  }

  protected async register(ip: string, given: { name: string; type: string }): Promise<string> {
    const probe = { mode: 'icmp', detect_port: null, web_port: null, shell_port: null };
    const { data } = await this.call('peripheral/create', { gwid: this.gwid, ip, ...probe, ...given });
    return data.id;
  }

  protected async begin(target: object, kind: string, as: As = this.owner): Promise<string> {
    const asked = { ...target, kind, purpose: 'Repair', cols: 80, rows: 24 };
    const { code, data } = await this.call('remote/open', asked, as);
    expect(code).toBe(2000);
    return data.id;
  }

  /** Answers the next command. @returns its parameters */
  protected async answer(status: object = { error: 0, text: 'Success' }): Promise<Json & Hello> {
    const next = () =>
      this.#gateway.received.find(
        ({ command }) =>
          command?.method === 'yunxun.tool' &&
          (command.params as Json).tool === 'remote' &&
          !this.#answered.has(command.id),
      )?.command;
    await expect.poll(next).toBeDefined();
    const { id, params } = next()!;
    this.#answered.add(id);
    this.#gateway.sendJson({ jsonrpc: '2.0', id, result: { serial: this.identity.serial, status } });
    const given = params as Json;
    return { ...given, session: String(given.session), token: String(given.token) };
  }

  protected dial({ session, token }: Hello, as: Parameters<typeof AgentDouble.join>[1]): Promise<AgentDouble> {
    const reach = (to: string) => this.ports.get(to) ?? this.ports.get(to.split(':')[0]!) ?? null;
    return AgentDouble.join(this.#relayPort, as, { session, token }, reach);
  }

  async endAll(): Promise<void> {
    const { data } = await this.call<{ list: { id: string }[] }>('remote/list', { open: true, limit: 50 });
    for (const { id } of data.list) await this.call('remote/end', { id });
  }

  async stop(): Promise<void> {
    for (const target of this.#targets) target.close();
    await this.server.stop();
  }
}
