import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accessPoint, endDevices, enrol, listedAs } from '../../../test/conformance/device-client.ts';
import { encodeAnswer, hasRequestAuthenticator, isAnswerTo } from './authenticators.ts';
import { attribute, bytesOf, integerOf, textOf, vendorAttribute, vendorBytesOf } from './dictionary.ts';
import { codes, decodePacket, type Packet } from './packet.ts';
import { grantOf, type RadiusServer, type Sender, senderAt, startRadius } from './testing/fixture.ts';
import { accessRequest, accountingRequest, msChap2Attributes } from './testing/requests.ts';

let radius: RadiusServer;
const senders: Sender[] = [];

beforeAll(async () => {
  radius = await startRadius();
});
afterEach(endDevices);
afterAll(async () => {
  for (const sender of senders) sender.close();
  await radius.server.stop();
});

async function client(more: object = {}) {
  const nas = await radius.nas(more);
  const sender = await senderAt(nas.source);
  senders.push(sender);
  return { ...nas, sender };
}

type Client = Awaited<ReturnType<typeof client>>;

/** Written once a second. */
const soon = <T>(read: () => T) => expect.poll(read);
const answered = (sender: Sender, count: number) => soon(() => sender.answers.length).toBe(count);
const last = (sender: Sender): Packet => decodePacket(sender.answers.at(-1)!);
const refusalOf = async (id: string) => (await radius.state(id))?.refusal;

let names = 0;
function credential(): { username: string; password: string } {
  names += 1;
  const [username, password] = [`guest-${names}`, `one-time-${names}`];
  radius.gate.credentials.set(username, { password, grant: grantOf(username) });
  return { username, password };
}

/** Proves that earlier packets have been handled. */
async function letIn({ secret, sender }: Pick<Client, 'secret' | 'sender'>, signs = false): Promise<Packet> {
  const before = sender.answers.length;
  sender.send(accessRequest({ secret, ...credential(), signs, identifier: 200 }), radius.auth);
  await answered(sender, before + 1);
  return last(sender);
}

describe('authentication', () => {
  it('answers a request without Message-Authenticator, with one first, and with limits', async () => {
    const { secret, sender, id } = await client();
    const request = accessRequest({ secret, ...credential() });
    sender.send(request, radius.auth);
    await answered(sender, 1);
    const answer = last(sender);
    expect(answer.code).toBe(codes.accessAccept);
    expect(answer.attributes[0]!.type).toBe(80);
    expect(integerOf(answer, 'Session-Timeout')).toBe(3600);
    expect(isAnswerTo(decodePacket(request).authenticator, answer, Buffer.from(secret))).toBe(true);
    await soon(() => radius.state(id)).toMatchObject({ accepted: 1, rejected: 0, require_ma: false });
  });

  it('accepts a credential once', async () => {
    const { secret, sender, id } = await client();
    const once = credential();
    sender.send(accessRequest({ secret, ...once, identifier: 1 }), radius.auth);
    await answered(sender, 1);
    sender.send(accessRequest({ secret, ...once, identifier: 2 }), radius.auth);
    await answered(sender, 2);
    expect(last(sender).code).toBe(codes.accessReject);
    await soon(() => radius.state(id)).toMatchObject({ accepted: 1, rejected: 1, refusal: 'unknown_user' });
  });

  it('proves the password to a guest of MS-CHAPv2, and names the failure of a wrong one', async () => {
    const { secret, sender, id } = await client();
    const { username, password } = credential();
    const ask = (typed: string, identifier: number) => {
      const { challenge, response, success } = msChap2Attributes(username, typed);
      const attributes = [
        vendorAttribute('Microsoft-CHAP-Challenge', challenge),
        vendorAttribute('Microsoft-CHAP2-Response', response),
      ];
      sender.send(accessRequest({ secret, username, pap: false, identifier, attributes }), radius.auth);
      return success;
    };
    ask('guess', 1);
    await answered(sender, 1);
    expect(last(sender).code).toBe(codes.accessReject);
    const failure = vendorBytesOf(last(sender), 'Microsoft-CHAP-Error')!;
    expect(failure[0]).toBe(7);
    expect(failure.subarray(1).toString()).toMatch(/^E=691 R=0 C=[0-9A-F]{32} V=3 M=./);
    const success = ask(password, 2);
    await answered(sender, 2);
    expect(last(sender).code).toBe(codes.accessAccept);
    expect(vendorBytesOf(last(sender), 'Microsoft-CHAP2-Success')!.toString('latin1')).toBe(`\x07${success}`);
    expect(success).toMatch(/^S=[0-9A-F]{40}$/);
    expect(integerOf(last(sender), 'Session-Timeout')).toBe(3600);
    await soon(() => radius.state(id)).toMatchObject({ accepted: 1, rejected: 1, refusal: 'unknown_user' });
  });

  it('answers a repeated packet as before, without asking the portal again', async () => {
    const { secret, sender } = await client();
    const request = accessRequest({ secret, ...credential() });
    sender.send(request, radius.auth);
    await answered(sender, 1);
    const asked = radius.gate.asked.length;
    sender.send(request, radius.auth);
    await answered(sender, 2);
    expect(sender.answers[1]).toEqual(sender.answers[0]);
    expect(radius.gate.asked).toHaveLength(asked);
  });

  it('requires the Message-Authenticator after the first valid one', async () => {
    const { secret, sender, id } = await client();
    await letIn({ secret, sender }, true);
    await soon(() => radius.state(id)).toMatchObject({ require_ma: true });
    sender.send(accessRequest({ secret, ...credential() }), radius.auth);
    await soon(() => refusalOf(id)).toBe('missing_ma');
    expect(sender.answers).toHaveLength(1);
  });

  it('gives no answer to a Message-Authenticator of another secret', async () => {
    const { sender, id } = await client();
    sender.send(accessRequest({ secret: 'not this one', ...credential(), signs: true }), radius.auth);
    await soon(() => refusalOf(id)).toBe('wrong_secret');
    expect(sender.answers).toHaveLength(0);
  });

  it('drops a Proxy-State that no Message-Authenticator protects, and repeats a protected one', async () => {
    const { secret, sender, id } = await client();
    const attributes = [attribute('Proxy-State', Buffer.from('a')), attribute('Proxy-State', Buffer.from('b'))];
    sender.send(accessRequest({ secret, ...credential(), attributes }), radius.auth);
    await soon(() => refusalOf(id)).toBe('proxy_state');
    expect(sender.answers).toHaveLength(0);
    sender.send(accessRequest({ secret, ...credential(), attributes, signs: true }), radius.auth);
    await answered(sender, 1);
    expect(last(sender).attributes.filter(({ type }) => type === 33)).toEqual(attributes);
  });

  it('gives a guest who guesses no answer after ten rejects, and others theirs', async () => {
    const { secret, sender, id } = await client();
    const mac = attribute('Calling-Station-Id', '02-00-00-00-00-01');
    for (let at = 1; at <= 11; at += 1) {
      sender.send(
        accessRequest({ secret, username: 'nobody', password: 'x', identifier: at, attributes: [mac] }),
        radius.auth,
      );
    }
    await soon(() => refusalOf(id)).toBe('too_many');
    await answered(sender, 10);
    expect((await letIn({ secret, sender })).code).toBe(codes.accessAccept);
  });

  it('is silent to unknown sources, however many packets they send', async () => {
    const { secret, sender } = await client();
    const stranger = await senderAt('127.0.0.250');
    senders.push(stranger);
    const asked = radius.gate.asked.length;
    const request = accessRequest({ secret, ...credential() });
    for (let at = 0; at < 2000; at += 1) {
      const data = Buffer.from(request);
      data.writeUInt32BE(at, 4);
      stranger.send(at % 3 === 0 ? data.subarray(0, at % 40) : data, radius.auth);
    }
    await letIn({ secret, sender });
    expect(stranger.answers).toHaveLength(0);
    expect(radius.gate.asked).toHaveLength(asked + 1);
  });

  it('finds a client of any address by its identifier only with a Message-Authenticator', async () => {
    const { secret, id } = await radius.nas({ source: null, identifier: 'roaming-ap' });
    const sender = await senderAt('127.0.0.251');
    senders.push(sender);
    const attributes = [attribute('NAS-Identifier', 'roaming-ap')];
    sender.send(accessRequest({ secret, ...credential(), attributes }), radius.auth);
    await soon(() => refusalOf(id)).toBe('missing_ma');
    sender.send(accessRequest({ secret, ...credential(), attributes, signs: true, identifier: 2 }), radius.auth);
    await answered(sender, 1);
    expect(last(sender).code).toBe(codes.accessAccept);
  });

  it("answers with the client's own secret when another account names the same address", async () => {
    const { secret, sender, source } = await client();
    const other = await radius.server.register();
    const { data } = await radius.server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Other' }, other);
    const given = { name: 'Squatter', gwid: data.gwid, source, identifier: null, require_ma: false, coa_port: 3799 };
    expect((await radius.server.call('/api/v3/radius/nas/create', given, other)).code).toBe(2000);
    const request = accessRequest({ secret, ...credential(), signs: true });
    sender.send(request, radius.auth);
    await answered(sender, 1);
    expect(isAnswerTo(decodePacket(request).authenticator, last(sender), Buffer.from(secret))).toBe(true);
  });
});

const status = { start: 1, stop: 2, interim: 3, on: 7 } as const;

function accounting(
  { secret, sender }: Pick<Client, 'secret' | 'sender'>,
  kind: keyof typeof status,
  session: string,
  seconds = 0,
  identifier = seconds % 256,
): void {
  const attributes = [
    attribute('Acct-Status-Type', status[kind]),
    attribute('Acct-Session-Id', session),
    attribute('User-Name', `user of ${session}`),
    attribute('Calling-Station-Id', '9C-00-00-00-00-01'),
    attribute('Acct-Session-Time', seconds),
    attribute('Acct-Input-Octets', 5),
    attribute('Acct-Input-Gigawords', 2),
    attribute('Acct-Output-Octets', seconds),
  ];
  sender.send(accountingRequest(secret, identifier, attributes), radius.acct);
}

const eventsOf = (session: string) => radius.gate.events.filter(({ acctSessionId }) => acctSessionId === session);

describe('accounting', () => {
  it('gives start, interim and stop to the portal with 64-bit totals', async () => {
    const nas = await client();
    accounting(nas, 'start', 'full');
    await answered(nas.sender, 1);
    accounting(nas, 'interim', 'full', 60);
    await answered(nas.sender, 2);
    accounting(nas, 'stop', 'full', 90);
    await answered(nas.sender, 3);
    expect(eventsOf('full').map(({ kind }) => kind)).toEqual(['start', 'interim', 'stop']);
    expect(eventsOf('full')[2]).toMatchObject({
      ...{ username: 'user of full', mac: '9c0000000001', seconds: 90, cause: 'other' },
      ...{ upBytes: 2 * 2 ** 32 + 5, downBytes: 90 },
    });
    await soon(() => radius.state(nas.id)).toMatchObject({ accounted: 3 });
  });

  it('acknowledges known sessions, also after a restart, and notifies the portal once', async () => {
    const nas = await client();
    accounting(nas, 'start', 'again', 0, 1);
    await answered(nas.sender, 1);
    accounting(nas, 'interim', 'again', 60, 2);
    await answered(nas.sender, 2);
    await radius.server.restart();
    Object.assign(radius, radius.server.program.radiusPorts);
    accounting(nas, 'start', 'again', 0, 3);
    accounting(nas, 'interim', 'again', 60, 4);
    await answered(nas.sender, 4);
    accounting(nas, 'stop', 'again', 61, 5);
    await answered(nas.sender, 5);
    accounting(nas, 'stop', 'again', 61, 6);
    await answered(nas.sender, 6);
    expect(eventsOf('again').map(({ kind }) => kind)).toEqual(['start', 'interim', 'stop']);
  });

  it('does not acknowledge what the portal did not take', async () => {
    const nas = await client();
    radius.gate.isBroken = true;
    accounting(nas, 'start', 'broken', 0, 1);
    await letIn(nas);
    radius.gate.isBroken = false;
    accounting(nas, 'start', 'broken', 0, 1);
    await answered(nas.sender, 2);
    expect(eventsOf('broken')).toHaveLength(1);
  });

  it('refuses an authenticator of another secret', async () => {
    const nas = await client();
    accounting({ ...nas, secret: 'not this one' }, 'start', 'forged');
    await soon(() => refusalOf(nas.id)).toBe('wrong_secret');
    expect([nas.sender.answers, eventsOf('forged')]).toEqual([[], []]);
  });

  it('ends the open sessions of a gateway that begins anew, and no others', async () => {
    const [nas, other] = [await client(), await client()];
    accounting(nas, 'start', 'open-1', 0, 1);
    accounting(nas, 'start', 'open-2', 0, 2);
    accounting(other, 'start', 'open-3', 0, 3);
    await answered(nas.sender, 2);
    await answered(other.sender, 1);
    accounting(nas, 'on', 'boot', 0, 4);
    await answered(nas.sender, 3);
    for (const session of ['open-1', 'open-2'])
      expect(eventsOf(session).at(-1)).toMatchObject({ kind: 'stop', cause: 'nas_reboot' });
    expect(eventsOf('open-3').at(-1)).toMatchObject({ kind: 'start' });
  });
});

describe('disconnecting', () => {
  it.each([
    ['acknowledged', codes.disconnectAck],
    ['refused', codes.disconnectNak],
  ])('is %s by the gateway', async (outcome, code) => {
    const port = createSocket('udp4');
    port.bind(0, '127.0.0.1');
    await once(port, 'listening');
    const nas = await client({ coa_port: port.address().port });
    accounting(nas, 'start', `kick-${code}`);
    await answered(nas.sender, 1);
    const secret = Buffer.from(nas.secret);
    // the gateway listens at its source address
    port.close();
    const gateway = createSocket('udp4');
    gateway.bind((await radius.state(nas.id))!.coa_port, nas.source);
    await once(gateway, 'listening');
    gateway.on('message', (data, { address, port: to }) => {
      const request = decodePacket(data);
      if (!hasRequestAuthenticator(request, secret) || textOf(request, 'Acct-Session-Id') !== `kick-${code}`) return;
      gateway.send(
        encodeAnswer(request, { code: codes.disconnectAck, attributes: [] }, Buffer.from('forged')),
        to,
        address,
      );
      gateway.send(encodeAnswer(request, { code, attributes: [] }, secret), to, address);
    });
    expect(await radius.disconnect(`kick-${code}`)).toBe(outcome);
    gateway.close();
  });

  it('does not reach a session that has none', async () => {
    expect(await radius.disconnect('unknown')).toBe('unreachable');
  });
});

describe("an access point's own connection", () => {
  it('carries requests of its network, their Proxy-State and a Disconnect-Request', async () => {
    const { server, owner, gwid } = radius;
    const { secret, id } = await radius.nas({ source: null, identifier: 'tunnel-ap', require_ma: true });
    const identity = await enrol(server, owner, { gwid });
    const device = accessPoint(identity);
    await device.connect();
    await listedAs(server, owner, identity.serial, { status: 'online' });
    const proxyState = attribute('Proxy-State', Buffer.from(`${identity.serial}:127.0.0.1:1812:captive`));
    const ask = (port: 'auth' | 'acct', data: Buffer) =>
      device.sendJson({ radius: port, data: data.toString('base64') });
    const answers = () => device.radius.map(({ radius: port, data }) => [port, Buffer.from(data, 'base64')] as const);

    const named = attribute('NAS-Identifier', 'tunnel-ap');
    ask('auth', accessRequest({ secret, ...credential(), attributes: [named, proxyState] }));
    await soon(() => answers().length).toBe(1);
    const accept = decodePacket(answers()[0]![1]);
    expect([answers()[0]![0], accept.code]).toEqual(['auth', codes.accessAccept]);
    expect(bytesOf(accept, 'Proxy-State')).toEqual(proxyState.value);

    const session = [attribute('Acct-Status-Type', 1), attribute('Acct-Session-Id', 'tunnelled'), named, proxyState];
    ask('acct', accountingRequest(secret, 9, session));
    await soon(() => answers().length).toBe(2);
    expect(eventsOf('tunnelled')).toMatchObject([{ kind: 'start' }]);

    const kicked = radius.disconnect('tunnelled');
    await soon(() => answers().length).toBe(3);
    const [port, bytes] = answers()[2]!;
    expect(port).toBe('coa');
    const ack = encodeAnswer(decodePacket(bytes), { code: codes.disconnectAck, attributes: [] }, Buffer.from(secret));
    device.sendJson({ radius: 'coa', data: ack.toString('base64') });
    expect(await kicked).toBe('acknowledged');
    await soon(() => radius.state(id)).toMatchObject({ accepted: 1, accounted: 1 });
  });

  it('speaks for no client of another network', async () => {
    const { server, owner } = radius;
    const { secret } = await radius.nas({ source: null, identifier: 'far-ap' });
    const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Far' }, owner);
    const identity = await enrol(server, owner, { gwid: data.gwid });
    const device = accessPoint(identity);
    await device.connect();
    await listedAs(server, owner, identity.serial, { status: 'online' });
    const asked = radius.gate.asked.length;
    const attributes = [attribute('NAS-Identifier', 'far-ap')];
    const request = accessRequest({ secret, ...credential(), attributes, signs: true });
    device.sendJson({ radius: 'auth', data: request.toString('base64') });
    await radius.server.call('/api/v3/ap/blink', { serial: identity.serial, seconds: 1 }, owner);
    expect([device.radius, radius.gate.asked.length]).toEqual([[], asked]);
  });
});
