import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { expect } from 'vitest';
import { accessPoint, enrol, type Identity, listedAs } from '../../../../test/conformance/device-client.ts';
import type { AccessPoint } from '../../../../test/conformance/peer/access-point.ts';
import type { Json } from '../../../../test/conformance/peer/json.ts';
import type { Registered, TestServer } from '../../../../test/server.ts';
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

/** A network whose gateway is an edge agent, in an account that allows remote access. */
export class EdgeSite {
  readonly server: TestServer;
  readonly owner: Registered;
  readonly gwid: string;
  readonly identity: Identity;
  readonly gateway: AccessPoint;
  readonly #ports = new Map<string, number>();
  readonly #answered = new Set<unknown>();
  readonly #relayPort: number;

  private constructor(
    server: TestServer,
    owner: Registered,
    at: Pick<EdgeSite, 'gwid' | 'identity' | 'gateway'>,
    port: number,
  ) {
    this.server = server;
    this.owner = owner;
    this.gwid = at.gwid;
    this.identity = at.identity;
    this.gateway = at.gateway;
    this.#relayPort = port;
  }

  /** `program`: of the process to which devices connect. */
  static async open(server: TestServer, { devicePort, remotePort } = server.program): Promise<EdgeSite> {
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
    return new EdgeSite(server, owner, { gwid, identity, gateway }, remotePort);
  }

  call<T = { id: string }>(what: string, body: object) {
    return this.server.call<T>(`/api/v3/${what}`, body, this.owner);
  }

  /** Lets the agent reach a local server at an address of its LAN. */
  async reach(address: string, listener: Server): Promise<void> {
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    this.#ports.set(address, (listener.address() as AddressInfo).port);
  }

  async peripheral(ip: string, more: object): Promise<{ peripheral_id: string }> {
    const given = { gwid: this.gwid, name: `Camera ${ip}`, type: 'camera', ip, mode: 'icmp', detect_port: null };
    const { data } = await this.call('peripheral/create', { ...given, web_port: null, shell_port: null, ...more });
    return { peripheral_id: data.id };
  }

  /** Opens a session, and joins it as the gateway's agent. */
  async open(target: object, kind: string): Promise<{ id: string; agent: AgentDouble }> {
    const { code, data } = await this.call('remote/open', { ...target, kind, purpose: 'Repair', cols: 80, rows: 24 });
    expect(code).toBe(2000);
    const next = () =>
      this.gateway.received.find(
        ({ command }) =>
          command?.method === 'yunxun.tool' &&
          (command.params as Json).tool === 'remote' &&
          !this.#answered.has(command.id),
      )?.command;
    await expect.poll(next).toBeDefined();
    const { id, params } = next()!;
    this.#answered.add(id);
    const { serial } = this.identity;
    this.gateway.sendJson({ jsonrpc: '2.0', id, result: { serial, status: { error: 0, text: 'Success' } } });
    const { session, token } = params as Json;
    const hello = { session: String(session), token: String(token) };
    const agent = await AgentDouble.join(this.#relayPort, this.identity, hello, (to) => this.#ports.get(to) ?? null);
    expect(JSON.parse(agent.line)).toEqual({ ok: true });
    return { id: data.id, agent };
  }
}
