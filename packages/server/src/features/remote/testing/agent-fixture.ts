import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import ssh from 'ssh2';
import { expect } from 'vitest';
import { accessPoint, enrol, type Identity, listedAs } from '../../../../test/conformance/device-client.ts';
import type { AccessPoint } from '../../../../test/conformance/peer/access-point.ts';
import type { Json } from '../../../../test/conformance/peer/json.ts';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { AgentDouble } from './devices.ts';
import { TerminalPage } from './page.ts';

const abilities = { tools: true, watch: true, remote: true };
const capabilities = {
  platform: 'olg',
  compatible: 'yunxun_edge',
  model: 'Box',
  compress_cmd: true,
  yunxun: { agent: '0.9.0', abilities, missing: [], allowed: { reboot: true }, remote: { shell: true } },
};

interface Hello {
  session: string;
  token: string;
}

/** A console with a gateway that is online, whose agent reaches hosts of this machine. */
export class AgentFixture {
  readonly server: TestServer;
  readonly owner: Registered;
  readonly gwid: string;
  readonly identity: Identity;
  readonly gateway: AccessPoint;
  /** From the address of a target to a port of this machine. */
  readonly ports = new Map<string, number>();
  readonly #answered = new Set<unknown>();
  readonly #targets: Server[] = [];

  private constructor(server: TestServer, owner: Registered, gwid: string, identity: Identity) {
    this.server = server;
    this.owner = owner;
    this.gwid = gwid;
    this.identity = identity;
    this.gateway = accessPoint(identity, { capabilities });
  }

  static async start(): Promise<AgentFixture> {
    const server = await startTestServer();
    const owner = await server.register();
    const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Depot' }, owner);
    const { gwid } = data;
    const identity = await enrol(server, owner, { gwid, platform: 'olg' });
    const fixture = new AgentFixture(server, owner, gwid, identity);
    await fixture.gateway.connect();
    await server.db.query('update network set gateway_serial = $1 where gwid = $2', [identity.serial, gwid]);
    await listedAs(server, owner, identity.serial, { status: 'online' });
    await fixture.call('remote/settings/save', { enabled: true, version: 1 });
    return fixture;
  }

  call<T = { id: string }>(what: string, body: object) {
    return this.server.call<T>(`/api/v3/${what}`, body, this.owner);
  }

  shellRequest() {
    return { serial: this.identity.serial, kind: 'shell', purpose: 'Repair', cols: 80, rows: 24 };
  }

  /** Returns the parameters of the next command, which it answers. */
  async request(status: object = { error: 0, text: 'Success' }): Promise<Hello> {
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
    this.gateway.sendJson({ jsonrpc: '2.0', id, result: { serial, status } });
    const { session, token, server: at, port, seconds } = params as Json;
    expect({ at, port, seconds }).toEqual({ at: 'localhost', port: this.server.program.remotePort, seconds: 3600 });
    return { session: String(session), token: String(token) };
  }

  async open(target: object, kind: string): Promise<{ id: string; agent: AgentDouble; page: TerminalPage }> {
    const { code, data } = await this.call('remote/open', { ...target, kind, purpose: 'Repair', cols: 80, rows: 24 });
    expect(code).toBe(2000);
    const hello = await this.request();
    expect(hello.session).toBe(data.id);
    const agent = await this.join(hello);
    expect(JSON.parse(agent.line)).toEqual({ ok: true });
    return { id: data.id, agent, page: await TerminalPage.of(this.server, data.id, this.owner) };
  }

  /** Opens SSH to a host that offers `offer`, and signs in. */
  async signIn(ip: string, host: SshHost): Promise<{ id: string; page: TerminalPage; target: object }> {
    const target = await this.peripheral(ip, sshHost(host));
    const { id, page } = await this.open(target, 'ssh');
    await page.hears('login');
    page.say({ type: 'login', user: 'root', password: 'right' });
    await page.shows('welcome$ ');
    return { id, page, target };
  }

  join(hello: Hello, as: Partial<Identity> & Pick<Identity, 'ca'> = this.identity): Promise<AgentDouble> {
    return AgentDouble.join(this.server.program.remotePort, as, hello, (to) => this.ports.get(to) ?? null);
  }

  async peripheral(ip: string, listener: Server): Promise<{ peripheral_id: string }> {
    await this.lead(ip, listener);
    const given = { gwid: this.gwid, name: `Rack ${ip}`, type: 'server', ip, mode: 'icmp', detect_port: null };
    const { data } = await this.call('peripheral/create', { ...given, web_port: null, shell_port: 22 });
    return { peripheral_id: data.id };
  }

  /** Makes `listener` answer at port 22 of `ip`. */
  async lead(ip: string, listener: Server): Promise<void> {
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    this.#targets.push(listener);
    this.ports.set(`${ip}:22`, (listener.address() as AddressInfo).port);
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

export interface SshHost {
  key?: string;
  /** `columns`x`rows` of each window. */
  sizes?: string[];
  signIn?(context: ssh.AuthContext): void;
  shell?(client: ssh.Connection, stream: ssh.ServerChannel): void;
  /** What else a session offers. */
  offer?(session: ssh.Session): void;
}

/** Some of those that the library makes it cannot read itself. */
export function hostKey(): string {
  const { private: key } = ssh.utils.generateKeyPairSync('ed25519');
  return ssh.utils.parseKey(key) instanceof Error ? hostKey() : key;
}

function byPassword(context: ssh.AuthContext): void {
  const isRight = context.method === 'password' && context.username === 'root' && context.password === 'right';
  if (isRight) context.accept();
  else context.reject(['password']);
}

/** Greets, echoes, and ends at `exit`. */
export function sshHost({ key = hostKey(), sizes = [], signIn = byPassword, shell, offer }: SshHost = {}): Server {
  const shells = new ssh.Server({ hostKeys: [key] }, (client) => {
    client.on('error', () => undefined);
    client.on('authentication', signIn);
    client.on('session', (accept) => {
      const session = accept();
      offer?.(session);
      session.on('pty', (take, _refuse, { cols, rows }) => {
        sizes.push(`${cols}x${rows}`);
        take?.();
      });
      session.on('window-change', (take, _refuse, { cols, rows }) => {
        sizes.push(`${cols}x${rows}`);
        take?.();
      });
      session.on('shell', (take) => {
        const stream = take();
        stream.write('welcome$ ');
        shell?.(client, stream);
        stream.on('data', (chunk: Buffer) => {
          if (chunk.toString() !== 'exit\r') return void stream.write(chunk);
          stream.exit(0);
          stream.end();
        });
      });
    });
  });
  return createServer((socket) => shells.injectSocket(socket));
}
