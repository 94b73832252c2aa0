import { randomBytes } from 'node:crypto';
import { asNumber, type CaptiveGuest, type ConfigurationDocument } from '@yunxun/contract/device';
import { type Gate, gateOf } from './gate.ts';
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
import {
  follow,
  noTotals,
  type SpotClient,
  type SpotSession,
  type SpotStation,
  totalsOf,
  usedBy,
} from './spot-session.ts';

export interface UspotLink {
  serial: string;
  speedUp: number;
  address(): string | null;
  document(): ConfigurationDocument;
  stations(ssids: ReadonlySet<string>): readonly SpotStation[];
  nowMs(): number;
  send(kind: 'auth' | 'acct' | 'coa', data: Buffer): void;
}

const types = {
  userName: 1,
  chapPassword: 3,
  framedAddress: 8,
  sessionTimeout: 27,
  calledStation: 30,
  callingStation: 31,
  nasIdentifier: 32,
  proxyState: 33,
  statusType: 40,
  inputOctets: 42,
  outputOctets: 43,
  sessionId: 44,
  sessionTime: 46,
  terminateCause: 49,
  inputGigawords: 52,
  outputGigawords: 53,
  chapChallenge: 60,
  nasPortType: 61,
} as const;
const codes = { request: 1, accept: 2, accounting: 4, disconnect: 40, ack: 41, nak: 42 } as const;
const wireless = 19;
const statusTypes = { start: 1, stop: 2, interim: 3 } as const;
/** RFC 2866, section 5.10. */
const causes = { request: 1, lostCarrier: 2, timeout: 5 } as const;
const wordBytes = 2 ** 32;
const giveUpMs = 10_000;

interface Waiting {
  answer(data: Buffer): void;
  giveUp(): void;
  sentMs: number;
}

const hex = (bytes: Buffer) => bytes.toString('hex').toUpperCase();
const number = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

export class SimulatedUspot {
  readonly #link: UspotLink;
  readonly #sessions = new Map<string, SpotSession>();
  readonly #waiting = new Map<number, Waiting>();
  readonly #challenge = randomBytes(16).toString('hex');
  #id = 0;
  #read: { document: ConfigurationDocument; gate: Gate | null } | null = null;

  constructor(link: UspotLink) {
    this.#link = link;
  }

  get #gate(): Gate | null {
    const document = this.#link.document();
    if (this.#read?.document !== document) this.#read = { document, gate: gateOf(document) };
    return this.#read.gate;
  }

  get gates(): boolean {
    return this.#gate !== null;
  }

  #text(name: string): string {
    return String(this.#gate?.captive[name] ?? '');
  }

  isLetThrough({ mac }: Pick<SpotClient, 'mac'>): boolean {
    return !this.gates || typeof this.#sessions.get(mac)?.sinceMs === 'number';
  }

  /** Whether the client of an SSID gets no further than the walled garden. */
  captures(ssid: string, mac: string): boolean {
    return (this.#gate?.ssids.has(ssid) ?? false) && !this.isLetThrough({ mac });
  }

  #sessionOf({ mac, ip }: SpotClient): SpotSession {
    const known = this.#sessions.get(mac);
    if (known) return known;
    const counter = this.#stations().get(mac)?.traffic ?? null;
    const id = randomBytes(8).toString('hex');
    const session: SpotSession = {
      id,
      user: '',
      ip,
      sinceMs: null,
      untilMs: null,
      reportedMs: 0,
      counter,
      before: noTotals,
    };
    this.#sessions.set(mac, session);
    return session;
  }

  #stations(): Map<string, SpotStation> {
    const gate = this.#gate;
    return new Map(gate ? this.#link.stations(gate.ssids).map((station) => [station.mac, station]) : []);
  }

  #url(client: SpotClient, res: 'notyet' | 'success' | 'reject' | 'logoff'): string {
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
      `ssid=${this.#ssid}`,
      `sessionid=${this.#sessionOf(client).id}`,
    ];
    const url = `${this.#text('uam-server')}?${fields.join('&')}`;
    return `${url}&md=${hex(md5(url, this.#text('uam-secret')))}`;
  }

  redirect(client: SpotClient): string | null {
    return this.isLetThrough(client) ? null : this.#url(client, 'notyet');
  }

  /** Whether a browser's address is answered here. */
  serves(url: string): boolean {
    const { host, protocol } = new URL(url);
    return this.gates && protocol === 'http:' && host === `${this.#link.address() ?? ''}:${this.#text('uam-port')}`;
  }

  /** Returns where the browser goes next. */
  async visit(client: SpotClient, url: string): Promise<string> {
    return new URL(url).pathname === '/logoff' ? this.logoff(client) : this.logon(client, url);
  }

  async logon(client: SpotClient, url: string): Promise<string> {
    const { searchParams } = new URL(url);
    const user = searchParams.get('username') ?? '';
    const challenge = md5(md5(this.#challenge, macText(client)), this.#text('uam-secret'));
    const answer = await this.#ask('auth', codes.request, randomBytes(16), client, [
      [types.userName, Buffer.from(user)],
      [types.chapPassword, Buffer.concat([Buffer.of(0), Buffer.from(searchParams.get('response') ?? '', 'hex')])],
      [types.chapChallenge, challenge],
    ]);
    if (answer?.[0] !== codes.accept) return this.#url(client, 'reject');
    const seconds = attributeOf(radiusAttributes(answer), types.sessionTimeout)?.readUInt32BE();
    const now = this.#link.nowMs();
    const session = this.#sessionOf(client);
    const untilMs = seconds === undefined ? null : now + seconds * 1000;
    const before = session.counter ? totalsOf(session.counter) : noTotals;
    Object.assign(session, { user, sinceMs: now, untilMs, reportedMs: now, before });
    void this.#account(client, session, 'start');
    return this.#url(client, 'success');
  }

  logoff(client: SpotClient): string {
    const session = this.#sessions.get(client.mac);
    if (session) this.#end(client.mac, session, causes.request);
    return this.#url(client, 'logoff');
  }

  /** Ends sessions of clients that have left or whose time is over, and accounts for the others. */
  tick(): void {
    const now = this.#link.nowMs();
    this.#giveUp(now - giveUpMs);
    if (this.#sessions.size === 0) return;
    if (!this.gates) {
      this.forget();
      return;
    }
    const everyMs = ((asNumber(this.#gate?.captive['acct-interval']) ?? 0) * 1000) / this.#link.speedUp;
    const here = this.#stations();
    for (const [mac, session] of this.#sessions) {
      const station = here.get(mac);
      if (station) follow(session, station);
      const isGone = session.counter !== null && !station;
      const isOver = session.untilMs !== null && session.untilMs <= now;
      if (isGone || isOver) this.#end(mac, session, isGone ? causes.lostCarrier : causes.timeout);
      else if (session.sinceMs !== null && everyMs > 0 && now - session.reportedMs >= everyMs) {
        session.reportedMs = now;
        void this.#account({ mac, ip: session.ip }, session, 'interim');
      }
    }
  }

  /** As after a restart. */
  forget(): void {
    this.#giveUp(Number.POSITIVE_INFINITY);
    this.#sessions.clear();
  }

  #giveUp(untilMs: number): void {
    for (const { sentMs, giveUp } of this.#waiting.values()) if (sentMs <= untilMs) giveUp();
  }

  #end(mac: string, session: SpotSession, cause: number): void {
    this.#sessions.delete(mac);
    if (session.sinceMs !== null) void this.#account({ mac, ip: session.ip }, session, 'stop', cause);
  }

  async #account(
    client: SpotClient,
    session: SpotSession,
    kind: keyof typeof statusTypes,
    cause: number | null = null,
  ): Promise<void> {
    const { id, user, sinceMs } = session;
    const now = this.#link.nowMs();
    const { up, down } = usedBy(session);
    const own: RadiusAttribute[] = [
      [types.statusType, number(statusTypes[kind])],
      [types.userName, Buffer.from(user)],
      [types.sessionTime, number(Math.floor((now - (sinceMs ?? now)) / 1000))],
      [types.inputOctets, number(up % wordBytes)],
      [types.outputOctets, number(down % wordBytes)],
      [types.inputGigawords, number(Math.floor(up / wordBytes))],
      [types.outputGigawords, number(Math.floor(down / wordBytes))],
      ...(cause === null ? [] : [[types.terminateCause, number(cause)] as const]),
    ];
    await this.#ask('acct', codes.accounting, null, client, own, id);
  }

  get #ssid(): string {
    const [first = ''] = this.#gate?.ssids ?? [];
    return first;
  }

  #ask(
    kind: 'auth' | 'acct',
    code: number,
    authenticator: Buffer | null,
    client: SpotClient,
    own: readonly RadiusAttribute[],
    session = this.#sessionOf(client).id,
  ): Promise<Buffer | null> {
    const secret = this.#text(`${kind}-secret`);
    const relay = [this.#link.serial, this.#text(`${kind}-server`), this.#text(`${kind}-port`), 'captive'].join(':');
    const attributes: RadiusAttribute[] = [
      ...own,
      [types.sessionId, Buffer.from(session)],
      [types.framedAddress, Buffer.from(client.ip.split('.').map(Number))],
      [types.calledStation, Buffer.from(`${this.#link.serial}:${this.#ssid}`)],
      [types.callingStation, Buffer.from(macText(client))],
      [types.nasIdentifier, Buffer.from(this.#text('nasid'))],
      [types.nasPortType, number(wireless)],
      [types.proxyState, Buffer.from(relay)],
    ];
    this.#id = (this.#id + 1) % 256;
    const id = this.#id;
    const unsigned = encodeRadius(code, id, authenticator ?? Buffer.alloc(16), attributes);
    const request = authenticator ? unsigned : signRadius(unsigned, secret);
    this.#waiting.get(id)?.giveUp();
    return new Promise((resolve) => {
      const settle = (answer: Buffer | null) => {
        this.#waiting.delete(id);
        resolve(answer);
      };
      this.#waiting.set(id, {
        answer(data) {
          const state = attributeOf(radiusAttributes(data), types.proxyState);
          if (isRadiusAnswer(data, request, secret) && state?.toString() === relay) settle(data);
        },
        giveUp: () => settle(null),
        sentMs: this.#link.nowMs(),
      });
      this.#link.send(kind, request);
    });
  }

  take(kind: string, data: Buffer): void {
    if (kind !== 'coa') this.#waiting.get(data[1] ?? -1)?.answer(data);
    else this.#disconnect(data);
  }

  /** hostapd knows stations by MAC: a request that names users or sessions fits none. */
  #disconnect(request: Buffer): void {
    const secret = this.#gate?.secret ?? null;
    if (secret === null || request[0] !== codes.disconnect || !isSignedRequest(request, secret)) return;
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
    const here = this.#stations();
    const macs = new Set([...here.keys(), ...this.#sessions.keys()]);
    return Object.fromEntries([...macs].map((mac) => [mac, this.#guest(this.#sessions.get(mac), here.get(mac))]));
  }

  #guest(session: SpotSession | undefined, station: SpotStation | undefined): CaptiveGuest {
    if (session && station) follow(session, station);
    const used = session ? usedBy(session) : noTotals;
    const ip4addr = session?.ip ?? station?.ip ?? '';
    const common = {
      idle: station?.idleSeconds ?? 0,
      ip4addr,
      packets_ul: used.upPackets,
      packets_dl: used.downPackets,
      bytes_ul: used.up,
      bytes_dl: used.down,
    };
    if (session?.sinceMs == null) return { status: 'Garden', time: 0, ...common };
    const time = Math.floor((this.#link.nowMs() - session.sinceMs) / 1000);
    return { status: 'Authenticated', username: session.user, time, ...common };
  }
}

const macText = ({ mac }: SpotClient): string => mac.toLowerCase().replaceAll(':', '-');
