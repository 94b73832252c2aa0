import { expect } from 'vitest';
import { accessPoint, enrol, type Identity, listedAs } from '../../../../test/conformance/device-client.ts';
import type { AccessPoint } from '../../../../test/conformance/peer/access-point.ts';
import type { Json } from '../../../../test/conformance/peer/json.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import type { Config } from '../../../platform/config.ts';
import { RttyDouble } from './devices.ts';
import { TerminalPage } from './page.ts';

export const opened = { kind: 'shell', purpose: 'Look at the uplink', cols: 80, rows: 24 };
const plain = (id: string) => id.replaceAll('-', '');

interface Request {
  id: string;
  token: string;
}

interface Row {
  id: string;
  state: string;
  end_reason: string | null;
  bytes_down: number;
}

/** A console with an access point that is online. */
export class RemoteFixture {
  readonly server: TestServer;
  readonly owner: Registered;
  readonly gwid: string;
  readonly identity: Identity;
  readonly ap: AccessPoint;

  private constructor(server: TestServer, owner: Registered, gwid: string, identity: Identity) {
    this.server = server;
    this.owner = owner;
    this.gwid = gwid;
    this.identity = identity;
    this.ap = accessPoint(identity);
  }

  static async start(config: Partial<Config> = {}): Promise<RemoteFixture> {
    const server = await startTestServer({ config });
    const owner = await server.register();
    const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Hall' }, owner);
    const fixture = new RemoteFixture(server, owner, data.gwid, await enrol(server, owner, { gwid: data.gwid }));
    await fixture.ap.connect();
    await listedAs(server, owner, fixture.identity.serial, { status: 'online' });
    return fixture;
  }

  call<T = { id: string }>(what: string, body: object = {}, as: As = this.owner) {
    return this.server.call<T>(`/api/v3/remote/${what}`, body, as);
  }

  async allow(enabled: boolean): Promise<void> {
    const { data } = await this.call<{ version: number }>('settings');
    expect(await this.call('settings/save', { enabled, version: data.version })).toMatchObject({ code: 2000 });
  }

  asked(): Json[] {
    return this.ap.received.flatMap(({ command }) => (command?.method === 'rtty' ? [command.params as Json] : []));
  }

  async open(as: As = this.owner): Promise<Request> {
    const before = this.asked().length;
    const { code, data } = await this.call('open', { ...opened, serial: this.identity.serial }, as);
    expect(code).toBe(2000);
    await expect.poll(() => this.asked().length).toBe(before + 1);
    const { id, token } = this.asked().at(-1)!;
    expect(id).toBe(plain(data.id));
    return { id: data.id, token: String(token) };
  }

  join({ id, token }: Request, as: Partial<Identity> = this.identity): Promise<RttyDouble> {
    const proof = { ca: this.identity.ca, ...as };
    return RttyDouble.join(this.server.program.remotePort, proof, { id: plain(id), token });
  }

  async session(
    as: Pick<Registered, 'token'> = this.owner,
  ): Promise<{ id: string; device: RttyDouble; page: TerminalPage }> {
    const request = await this.open(as);
    const page = await TerminalPage.of(this.server, request.id, as);
    const device = await this.join(request);
    await page.shows('login: ');
    return { id: request.id, device, page };
  }

  async row(id: string): Promise<Row | undefined> {
    const { data } = await this.call<{ list: Row[] }>('list', { limit: 50 });
    return data.list.find((one) => one.id === id);
  }

  endsBy(id: string, end_reason: string): Promise<void> {
    return expect.poll(() => this.row(id)).toMatchObject({ state: 'ended', end_reason });
  }

  async endAll(): Promise<void> {
    const { data } = await this.call<{ list: { id: string }[] }>('list', { open: true, limit: 50 });
    for (const { id } of data.list) await this.call('end', { id });
  }
}
