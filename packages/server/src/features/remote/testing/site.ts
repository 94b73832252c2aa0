import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { expect } from 'vitest';
import { accessPoint, endDevices, enrol, type Identity, listedAs } from '../../../../test/conformance/device-client.ts';
import type { AccessPoint } from '../../../../test/conformance/peer/access-point.ts';
import type { Json } from '../../../../test/conformance/peer/json.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
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

const purpose = 'Repair';

/** An account that allows remote access, with a network and its gateway. */
export class RemoteSite {
  readonly server: TestServer;
  readonly owner: Registered;
  readonly gwid: string;
  readonly identity: Identity;
  readonly #gateway: AccessPoint;
  readonly #answered = new Set<unknown>();
  readonly #targets: Server[] = [];
  readonly #ports = new Map<string, number>();

  private constructor(server: TestServer, owner: Registered, gwid: string, identity: Identity, gateway: AccessPoint) {
    this.server = server;
    this.owner = owner;
    this.gwid = gwid;
    this.identity = identity;
    this.#gateway = gateway;
  }

  static async start(): Promise<RemoteSite> {
    const server = await startTestServer();
    const owner = await server.register();
    const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Depot' }, owner);
    const { gwid } = data;
    const identity = await enrol(server, owner, { gwid, platform: 'olg' });
    const gateway = accessPoint(identity, { capabilities });
    await gateway.connect();
    await server.db.query('update network set gateway_serial = $1 where gwid = $2', [identity.serial, gwid]);
    await listedAs(server, owner, identity.serial, { status: 'online' });
    const site = new RemoteSite(server, owner, gwid, identity, gateway);
    await site.allow(true);
    return site;
  }

  call<T = { id: string }>(what: string, body: object = {}, as: As = this.owner) {
    return this.server.call<T>(`/api/v3/${what}`, body, as);
  }

  async allow(enabled: boolean): Promise<void> {
    const { data } = await this.call<{ version: number }>('remote/settings');
    expect((await this.call('remote/settings/save', { enabled, version: data.version })).code).toBe(2000);
  }

  /** Each of its ports leads to `listener`. */
  async peripheral(ip: string, listener: Server, ports: object): Promise<string> {
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    this.#targets.push(listener);
    this.#ports.set(ip, (listener.address() as AddressInfo).port);
    const given = { gwid: this.gwid, name: `Till ${ip}`, type: 'other', ip, mode: 'icmp', detect_port: null };
    const { data } = await this.call('peripheral/create', { ...given, web_port: null, shell_port: null, ...ports });
    return data.id;
  }

  async open(target: object, kind: string, as: As = this.owner): Promise<string> {
    const asked = { ...target, kind, purpose, cols: 80, rows: 24 };
    const { code, data } = await this.call('remote/open', asked, as);
    expect(code).toBe(2000);
    return data.id;
  }

  /** Answers the next command, and joins the session that it names. */
  async join(): Promise<AgentDouble> {
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
    const { serial } = this.identity;
    this.#gateway.sendJson({ jsonrpc: '2.0', id, result: { serial, status: { error: 0, text: 'Success' } } });
    const { session, token } = params as Json;
    const hello = { session: String(session), token: String(token) };
    const reach = (to: string) => this.#ports.get(to.split(':')[0]!) ?? null;
    return AgentDouble.join(this.server.program.remotePort, this.identity, hello, reach);
  }

  async endAll(): Promise<void> {
    const { data } = await this.call<{ list: { id: string }[] }>('remote/list', { open: true, limit: 50 });
    for (const { id } of data.list) await this.call('remote/end', { id });
  }

  async stop(): Promise<void> {
    for (const target of this.#targets) target.close();
    await endDevices();
    await this.server.stop();
  }
}
