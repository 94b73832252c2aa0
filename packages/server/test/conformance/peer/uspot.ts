import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { AccessPoint } from './access-point.ts';
import { isTable } from './firmware.ts';
import type { Json } from './json.ts';

export interface SpotClient {
  mac: string;
  ip: string;
}

interface Session {
  state: 'garden' | 'authenticated';
  sessionid: string;
  user: string;
}

const names = {
  userName: 1,
  chapPassword: 3,
  serviceType: 6,
  framedAddress: 8,
  classOf: 25,
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
  eventTimestamp: 55,
  chapChallenge: 60,
  nasPortType: 61,
  messageAuthenticator: 80,
} as const;

const lostCarrier = 2;
const accepted = 2;
const accountingAnswer = 5;
const disconnect = { request: 40, ack: 41, nak: 42 } as const;
/** hostapd answers any other attribute of a Disconnect-Request with a NAK. */
const knownToHostapd: ReadonlySet<number> = new Set([
  names.userName,
  names.calledStation,
  names.callingStation,
  names.nasIdentifier,
  names.sessionId,
  names.eventTimestamp,
  names.messageAuthenticator,
]);

type Attributes = (readonly [type: number, value: Buffer])[];

const md5 = (...parts: (string | Buffer)[]): Buffer => {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const hexMd5 = (...parts: (string | Buffer)[]) =>
  md5(...parts)
    .toString('hex')
    .toUpperCase();
const text = (value: string) => Buffer.from(value);
const number = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

function packet(code: number, id: number, authenticator: Buffer, attributes: Attributes): Buffer {
  const body = Buffer.concat(attributes.flatMap(([type, value]) => [Buffer.of(type, value.length + 2), value]));
  const head = Buffer.alloc(20);
  head.writeUInt8(code, 0);
  head.writeUInt8(id, 1);
  head.writeUInt16BE(20 + body.length, 2);
  authenticator.copy(head, 4);
  return Buffer.concat([head, body]);
}

function attributesIn(bytes: Buffer): Attributes {
  const found: Attributes = [];
  for (let at = 20; at + 2 <= bytes.length; at += bytes[at + 1]!)
    found.push([bytes[at]!, bytes.subarray(at + 2, at + bytes[at + 1]!)]);
  return found;
}

const first = (attributes: Attributes, type: number) => attributes.find(([own]) => own === type)?.[1];

function isAnswer(answer: Buffer, request: Buffer, secret: string): boolean {
  const own = md5(answer.subarray(0, 4), request.subarray(4, 20), answer.subarray(20), secret);
  return own.equals(answer.subarray(4, 20));
}

export class Uspot {
  readonly #device: AccessPoint;
  readonly #clients = new Map<string, Session>();
  readonly #waiting = new Map<number, (answer: Buffer) => void>();
  readonly #challenge = randomBytes(16).toString('hex');
  readonly address = '192.168.77.1';
  #id = 0;

  constructor(device: AccessPoint) {
    this.#device = device;
    device.gotRadius = ({ radius, data }) => this.#frame(radius, Buffer.from(data, 'base64'));
  }

  /** Null unless exactly one interface has SSIDs with the service, as the renderer demands. */
  get #gate(): { settings: Json; ssid: Json } | null {
    const { interfaces, services } = this.#device.running;
    const gated = (Array.isArray(interfaces) ? interfaces.filter(isTable) : []).map(({ ssids }) =>
      (Array.isArray(ssids) ? ssids.filter(isTable) : []).filter(
        (ssid) => Array.isArray(ssid.services) && ssid.services.includes('captive'),
      ),
    );
    const [ssids, more] = gated.filter((found) => found.length > 0);
    const settings = isTable(services) && isTable(services.captive) ? services.captive : null;
    return settings && ssids && !more ? { settings, ssid: ssids[0]! } : null;
  }

  get gates(): boolean {
    return this.#gate !== null;
  }

  isOnline = ({ mac }: SpotClient): boolean => !this.gates || this.#clients.get(mac)?.state === 'authenticated';

  #secret(name: string): string {
    return String(this.#gate!.settings[name]);
  }

  #macOf({ mac }: SpotClient): string {
    if (this.#gate!.settings['mac-format'] !== 'aa-bb-cc-dd-ee-ff') throw new Error('another form of MAC');
    return mac.toLowerCase().replaceAll(':', '-');
  }

  #sessionOf({ mac }: SpotClient): Session {
    const session = this.#clients.get(mac) ?? {
      state: 'garden' as const,
      sessionid: randomBytes(8).toString('hex'),
      user: '',
    };
    this.#clients.set(mac, session);
    return session;
  }

  #uamUrl(client: SpotClient, res: string): string {
    const { settings, ssid } = this.#gate!;
    const mac = this.#macOf(client);
    const url = `${settings['uam-server']}?res=${res}&uamip=${this.address}&uamport=${settings['uam-port']}&challenge=${hexMd5(this.#challenge, mac)}&mac=${mac}&ip=${client.ip}&called=${this.#device.options.serial}&nasid=${settings.nasid}&ssid=${ssid.name}&sessionid=${this.#sessionOf(client).sessionid}&userurl=example.com/`;
    return `${url}&md=${hexMd5(url, this.#secret('uam-secret'))}`;
  }

  redirect(client: SpotClient): string | null {
    return this.isOnline(client) ? null : this.#uamUrl(client, 'notyet');
  }

  /** Returns where the browser goes next. */
  async logon(client: SpotClient, url: string): Promise<string> {
    const { host, pathname, searchParams } = new URL(url);
    if (host !== `${this.address}:${this.#gate!.settings['uam-port']}` || pathname !== '/logon')
      throw new Error(`not the logon of this access point: ${url}`);
    const user = searchParams.get('username') ?? '';
    const response = Buffer.from(searchParams.get('response') ?? '', 'hex');
    const challenge = md5(Buffer.from(hexMd5(this.#challenge, this.#macOf(client)), 'hex'), this.#secret('uam-secret'));
    const answer = await this.#ask('auth', 1, randomBytes(16), [
      [names.userName, text(user)],
      [names.chapPassword, Buffer.concat([Buffer.of(0), response])],
      [names.chapChallenge, challenge],
      [names.serviceType, number(1)],
      ...this.#common(client),
    ]);
    if (answer[0] !== accepted) return this.#uamUrl(client, 'reject');
    Object.assign(this.#sessionOf(client), { state: 'authenticated', user });
    return this.#uamUrl(client, 'success');
  }

  async account(client: SpotClient, kind: 'start' | 'interim' | 'stop', up = 0, down = 0): Promise<void> {
    const answer = await this.#ask('acct', 4, null, [
      [names.statusType, number({ start: 1, stop: 2, interim: 3 }[kind])],
      [names.userName, text(this.#sessionOf(client).user)],
      [names.sessionTime, number(kind === 'start' ? 0 : 60)],
      [names.inputOctets, number(up)],
      [names.outputOctets, number(down)],
      ...(kind === 'stop' ? [[names.terminateCause, number(lostCarrier)] as const] : []),
      ...this.#common(client),
    ]);
    if (kind === 'stop') this.#clients.delete(client.mac);
    if (answer[0] !== accountingAnswer) throw new Error(`accounting was answered with ${answer[0]}`);
  }

  #common(client: SpotClient): Attributes {
    const { settings, ssid } = this.#gate!;
    return [
      [names.sessionId, text(this.#sessionOf(client).sessionid)],
      [names.framedAddress, Buffer.from(client.ip.split('.').map(Number))],
      [names.calledStation, text(`${this.#device.options.serial}:${ssid.name}`)],
      [names.callingStation, text(this.#macOf(client))],
      [names.nasIdentifier, text(String(settings.nasid))],
      [names.nasPortType, number(19)],
    ];
  }

  /** Demands the relay's Proxy-State back. */
  #ask(kind: 'auth' | 'acct', code: number, authenticator: Buffer | null, attributes: Attributes): Promise<Buffer> {
    const { settings } = this.#gate!;
    if (settings['radius-gw-proxy'] !== true) throw new Error('the document asks for RADIUS by UDP');
    const secret = this.#secret(`${kind}-secret`);
    const place = `${this.#device.options.serial}:${settings[`${kind}-server`]}:${settings[`${kind}-port`]}:captive`;
    this.#id = (this.#id + 1) % 256;
    const id = this.#id;
    const all: Attributes = [...attributes, [names.proxyState, text(place)]];
    const request = packet(code, id, authenticator ?? Buffer.alloc(16), all);
    if (!authenticator) md5(request, secret).copy(request, 4);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, (answer) => {
        if (!isAnswer(answer, request, secret)) reject(new Error('an answer with another secret'));
        else if (first(attributesIn(answer), names.proxyState)?.toString() !== place)
          reject(new Error('an answer without the Proxy-State of the relay'));
        else resolve(answer);
      });
      this.#device.sendJson({ radius: kind, data: request.toString('base64') });
    });
  }

  #frame(kind: string, bytes: Buffer): void {
    if (kind === 'coa') this.#device.sendJson({ radius: 'coa', data: this.#disconnect(bytes).toString('base64') });
    else this.#waiting.get(bytes[1]!)?.(bytes);
  }

  #disconnect(request: Buffer): Buffer {
    const { radius } = this.#gate!.ssid;
    const authorised =
      isTable(radius) && isTable(radius['dynamic-authorization']) ? radius['dynamic-authorization'] : {};
    const secret = String(authorised.secret);
    const attributes = attributesIn(request);
    const zeros = Buffer.concat([request.subarray(0, 4), Buffer.alloc(16), request.subarray(20)]);
    const isTrue = md5(zeros, secret).equals(request.subarray(4, 20)) && request[0] === disconnect.request;
    const isKnown = attributes.every(([type]) => knownToHostapd.has(type));
    const isForeign = attributes.some(
      ([type]) => type === names.userName || type === names.sessionId || type === names.nasIdentifier,
    );
    const station = first(attributes, names.callingStation)?.toString().toLowerCase().replaceAll('-', ':') ?? '';
    const isDone = isTrue && isKnown && !isForeign && this.#clients.delete(station);
    return this.#disconnectAnswer(request, isDone ? disconnect.ack : disconnect.nak, secret);
  }

  #disconnectAnswer(request: Buffer, code: number, secret: string): Buffer {
    const authenticator = request.subarray(4, 20);
    const unsigned = packet(code, request[1]!, authenticator, [[names.messageAuthenticator, Buffer.alloc(16)]]);
    const signature = createHmac('md5', secret).update(unsigned).digest();
    const answer = packet(code, request[1]!, authenticator, [[names.messageAuthenticator, signature]]);
    md5(answer, secret).copy(answer, 4);
    return answer;
  }
}
