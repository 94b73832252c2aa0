import { createServer, type Server } from 'node:net';
import ssh from 'ssh2';
import { expect } from 'vitest';
import type { Identity } from '../../../../test/conformance/device-client.ts';
import { startTestServer } from '../../../../test/server.ts';
import type { AgentDouble } from './devices.ts';
import { EdgeBox, enrolBox, type Hello } from './edge-box.ts';
import { TerminalPage } from './page.ts';

/** Opens sessions with their pages, step by step where a test looks at the steps. */
export class AgentFixture extends EdgeBox {
  static async start(): Promise<AgentFixture> {
    return new AgentFixture(await enrolBox(await startTestServer()));
  }

  shellRequest() {
    return { serial: this.identity.serial, kind: 'shell', purpose: 'Repair', cols: 80, rows: 24 };
  }

  /** Answers the next command. */
  async request(status?: object): Promise<Hello> {
    const { session, token, server: at, port, seconds } = await this.answer(status);
    expect({ at, port, seconds }).toEqual({ at: 'localhost', port: this.server.program.remotePort, seconds: 3600 });
    return { session, token };
  }

  async open(target: object, kind: string): Promise<{ id: string; agent: AgentDouble; page: TerminalPage }> {
    const id = await this.begin(target, kind);
    const hello = await this.request();
    expect(hello.session).toBe(id);
    const agent = await this.join(hello);
    expect(JSON.parse(agent.line)).toEqual({ ok: true });
    return { id, agent, page: await TerminalPage.of(this.server, id, this.owner) };
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
    return this.dial(hello, as);
  }

  async peripheral(ip: string, listener: Server): Promise<{ peripheral_id: string }> {
    await this.lead(ip, listener);
    const rack = { name: `Rack ${ip}`, type: 'server', shell_port: 22 };
    return { peripheral_id: await this.register(ip, rack) };
  }

  /** Makes `listener` answer at port 22 of `ip`. */
  lead(ip: string, listener: Server): Promise<void> {
    return this.reach(`${ip}:22`, listener);
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

export interface Lock {
  passphrase: string;
  cipher: 'aes256-ctr';
  rounds: number;
}

/** The library writes one in 256 a byte too short (its public half begins with a zero byte), and cannot read it. */
export function ed25519Key(lock?: Lock): string {
  const { private: key } = ssh.utils.generateKeyPairSync('ed25519', lock);
  return ssh.utils.parseKey(key, lock?.passphrase) instanceof Error ? ed25519Key(lock) : key;
}

function byPassword(context: ssh.AuthContext): void {
  const isRight = context.method === 'password' && context.username === 'root' && context.password === 'right';
  if (isRight) context.accept();
  else context.reject(['password']);
}

/** Greets, echoes, and ends at `exit`. */
export function sshHost({ key = ed25519Key(), sizes = [], signIn = byPassword, shell, offer }: SshHost = {}): Server {
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
