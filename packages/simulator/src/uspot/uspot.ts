import { randomBytes } from 'node:crypto';
import {
  asList,
  asRecord,
  asText,
  asTexts,
  type CaptiveGuest,
  type ConfigurationDocument,
  isRecord,
} from '@yunxun/contract/device';
import {
  answerRadius,
  attributeOf,
  encodeRadius,
  isRadiusAnswer,
  isSignedRequest,
  md5,
  type RadiusAttribute,
  radiusAttributes,
  signRadius,
} from './radius-frame.ts';

export interface SpotClient {
  mac: string;
  ip: string;
}

export interface UspotLink {
  serial: string;
  address(): string | null;
  document(): ConfigurationDocument;
  nowMs(): number;
  send(kind: 'auth' | 'acct' | 'coa', data: Buffer): void;
}

interface Session {
  id: string;
  user: string;
  ip: string;
  /** Null: in the walled garden. */
  sinceMs: number | null;
}

const types = {
  userName: 1,
  chapPassword: 3,
  framedAddress: 8,
  calledStation: 30,
  callingStation: 31,
  nasIdentifier: 32,
  proxyState: 33,
  statusType: 40,
  inputOctets: 42,
  outputOctets: 43,
  sessionId: 44,
  sessionTime: 46,
  chapChallenge: 60,
  nasPortType: 61,
} as const;
const codes = { request: 1, accept: 2, accounting: 4, disconnect: 40, ack: 41, nak: 42 } as const;
const wireless = 19;

const hex = (bytes: Buffer) => bytes.toString('hex').toUpperCase();
const number = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** The firmware's renderer starts none on several interfaces. */
export function gatedSsids(document: ConfigurationDocument): { name: string; radius: Record<string, unknown> }[] {
  const gated = asList(document.interfaces).map((entry) =>
    asList(asRecord(entry).ssids)
      .map((ssid) => asRecord<Record<string, unknown>>(ssid))
      .filter(({ services }) => asTexts(services).includes('captive')),
  );
  const used = gated.filter((ssids) => ssids.length > 0);
  if (used.length !== 1 || !isRecord(asRecord(document.services).captive)) return [];
  return used[0]!.map(({ name, radius }) => ({ name: asText(name, 32) ?? '', radius: asRecord(radius) }));
}

export class SimulatedUspot {
  readonly #link: UspotLink;
  readonly #sessions = new Map<string, Session>();
  readonly #waiting = new Map<number, (answer: Buffer) => void>();
  readonly #challenge = randomBytes(16).toString('hex');
  #id = 0;

  constructor(link: UspotLink) {
    this.#link = link;
  }

  get gates(): boolean {
    return gatedSsids(this.#link.document()).length > 0;
  }

  #text(name: string): string {
    const { captive } = asRecord<{ captive: unknown }>(this.#link.document().services);
    return String(asRecord<Record<string, unknown>>(captive)[name] ?? '');
  }

  isOnline = ({ mac }: SpotClient): boolean => !this.gates || typeof this.#sessions.get(mac)?.sinceMs === 'number';

  #sessionOf({ mac, ip }: SpotClient): Session {
    const session = this.#sessions.get(mac) ?? { id: randomBytes(8).toString('hex'), user: '', ip, sinceMs: null };
    this.#sessions.set(mac, session);
    return session;
  }

  #url(client: SpotClient, res: 'notyet' | 'success' | 'reject'): string {
    const mac = macText(client);
    const fields = [
      `res=${res}`,
      `uamip=${this.#link.address() ?? ''}`,
      `uamport=${this.#text('uam-port')}`,
      `challenge=${hex(md5(this.#challenge, mac))}`,
      `mac=${mac}`,
      `ip=${client.ip}`,
      `called=${this.#link.serial}`,
      `nasid=${this.#text('nasid')}`,
      `ssid=${gatedSsids(this.#link.document())[0]!.name}`,
      `sessionid=${this.#sessionOf(client).id}`,
    ];
    const url = `${this.#text('uam-server')}?${fields.join('&')}`;
    return `${url}&md=${hex(md5(url, this.#text('uam-secret')))}`;
  }

  redirect(client: SpotClient): string | null {
    return this.isOnline(client) ? null : this.#url(client, 'notyet');
  }

  /** Returns where the browser goes next. */
  async logon(client: SpotClient, url: string): Promise<string> {
    const { searchParams } = new URL(url);
    const user = searchParams.get('username') ?? '';
    const challenge = md5(md5(this.#challenge, macText(client)), this.#text('uam-secret'));
    const answer = await this.#ask('auth', codes.request, randomBytes(16), client, [
      [types.userName, Buffer.from(user)],
      [types.chapPassword, Buffer.concat([Buffer.of(0), Buffer.from(searchParams.get('response') ?? '', 'hex')])],
      [types.chapChallenge, challenge],
    ]);
    if (answer[0] !== codes.accept) return this.#url(client, 'reject');
    Object.assign(this.#sessionOf(client), { user, sinceMs: this.#link.nowMs() });
    return this.#url(client, 'success');
  }

  async account(client: SpotClient, kind: 'start' | 'interim' | 'stop', up = 0, down = 0): Promise<void> {
    const { user, sinceMs } = this.#sessionOf(client);
    const seconds = Math.floor((this.#link.nowMs() - (sinceMs ?? this.#link.nowMs())) / 1000);
    await this.#ask('acct', codes.accounting, null, client, [
      [types.statusType, number({ start: 1, stop: 2, interim: 3 }[kind])],
      [types.userName, Buffer.from(user)],
      [types.sessionTime, number(seconds)],
      [types.inputOctets, number(up)],
      [types.outputOctets, number(down)],
    ]);
    if (kind === 'stop') this.#sessions.delete(client.mac);
  }

  #ask(
    kind: 'auth' | 'acct',
    code: number,
    authenticator: Buffer | null,
    client: SpotClient,
    own: readonly RadiusAttribute[],
  ): Promise<Buffer> {
    const secret = this.#text(`${kind}-secret`);
    const relay = [this.#link.serial, this.#text(`${kind}-server`), this.#text(`${kind}-port`), 'captive'].join(':');
    const [ssid] = gatedSsids(this.#link.document());
    const attributes: RadiusAttribute[] = [
      ...own,
      [types.sessionId, Buffer.from(this.#sessionOf(client).id)],
      [types.framedAddress, Buffer.from(client.ip.split('.').map(Number))],
      [types.calledStation, Buffer.from(`${this.#link.serial}:${ssid?.name ?? ''}`)],
      [types.callingStation, Buffer.from(macText(client))],
      [types.nasIdentifier, Buffer.from(this.#text('nasid'))],
      [types.nasPortType, number(wireless)],
      [types.proxyState, Buffer.from(relay)],
    ];
    this.#id = (this.#id + 1) % 256;
    const id = this.#id;
    const unsigned = encodeRadius(code, id, authenticator ?? Buffer.alloc(16), attributes);
    const request = authenticator ? unsigned : signRadius(unsigned, secret);
    return new Promise((resolve) => {
      this.#waiting.set(id, (answer) => {
        const state = attributeOf(radiusAttributes(answer), types.proxyState);
        if (!isRadiusAnswer(answer, request, secret) || state?.toString() !== relay) return;
        this.#waiting.delete(id);
        resolve(answer);
      });
      this.#link.send(kind, request);
    });
  }

  take(kind: string, data: Buffer): void {
    if (kind !== 'coa') this.#waiting.get(data[1] ?? -1)?.(data);
    else this.#disconnect(data);
  }

  /** hostapd knows stations by MAC: a request that names users or sessions fits none. */
  #disconnect(request: Buffer): void {
    const [ssid] = gatedSsids(this.#link.document());
    const { secret } = asRecord<{ secret: unknown }>(ssid?.radius['dynamic-authorization']);
    if (typeof secret !== 'string' || request[0] !== codes.disconnect || !isSignedRequest(request, secret)) return;
    const attributes = radiusAttributes(request);
    const isForeign = [types.userName, types.sessionId, types.framedAddress].some((type) =>
      attributeOf(attributes, type),
    );
    const mac = (attributeOf(attributes, types.callingStation)?.toString() ?? '').toLowerCase().replaceAll('-', ':');
    const isDone = !isForeign && this.#sessions.delete(mac);
    this.#link.send('coa', answerRadius(request, isDone ? codes.ack : codes.nak, secret));
  }

  /** Returns null without a sign-in. */
  report(): Record<string, CaptiveGuest> | null {
    if (!this.gates) return null;
    const now = this.#link.nowMs();
    return Object.fromEntries(
      [...this.#sessions].map(([mac, { user, ip, sinceMs }]): [string, CaptiveGuest] => [
        mac,
        sinceMs === null
          ? { status: 'Garden', time: 0, ip4addr: ip }
          : { status: 'Authenticated', time: Math.floor((now - sinceMs) / 1000), ip4addr: ip, username: user },
      ]),
    );
  }
}

const macText = ({ mac }: SpotClient): string => mac.toLowerCase().replaceAll(':', '-');
