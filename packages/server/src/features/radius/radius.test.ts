import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accessPoint, endDevices, enrol, listedAs } from '../../../test/conformance/device-client.ts';
import { encodeAnswer, isAnswerTo, requestAuthenticatorCheck } from './authenticators.ts';
import { attribute, bytesOf, integerOf, textOf, vendorAttribute, vendorBytesOf } from './dictionary.ts';
import { codes, decodePacket } from './packet.ts';
import { answered, createClients, last, soon } from './testing/clients.ts';
import { type RadiusServer, startRadius } from './testing/fixture.ts';
import { accessRequest, accountingRequest, msChap2Attributes } from './testing/requests.ts';

let radius: RadiusServer;
const { accounting, client, close, credential, eventsOf, letIn, refusalOf, senderFrom } = createClients(() => radius);

beforeAll(async () => {
  radius = await startRadius();
});
afterEach(endDevices);
afterAll(async () => {
  close();
  await radius.server.stop();
});

/** Of one guest: all share a limit. */
function guestRequest(secret: string, given: { username: string; password: string; identifier: number }): Buffer {
  const attributes = [attribute('Calling-Station-Id', '02-00-00-00-00-02')];
  return accessRequest({ secret, ...given, attributes });
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
    await letIn({ secret, sender });
    ask('guess', 1);
    await answered(sender, 2);
    expect(last(sender).code).toBe(codes.accessReject);
    const failure = vendorBytesOf(last(sender), 'Microsoft-CHAP-Error')!;
    expect(failure[0]).toBe(7);
    expect(failure.subarray(1).toString()).toMatch(/^E=691 R=0 C=[0-9A-F]{32} V=3 M=./);
    const success = ask(password, 2);
    await answered(sender, 3);
    expect(last(sender).code).toBe(codes.accessAccept);
    expect(vendorBytesOf(last(sender), 'Microsoft-CHAP2-Success')!.toString('latin1')).toBe(`\x07${success}`);
    expect(success).toMatch(/^S=[0-9A-F]{40}$/);
    expect(integerOf(last(sender), 'Session-Timeout')).toBe(3600);
    await soon(() => radius.state(id)).toMatchObject({ accepted: 2, rejected: 1, refusal: 'unknown_user' });
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

  it('keeps what an owner chose about the Message-Authenticator, and what was learned when a rename is undone', async () => {
    const { secret, sender, id } = await client();
    const call = <T>(path: string, body: object) => radius.server.call<T>(`/api/v3/${path}`, body, radius.owner);
    const update = (changes: object) => call('radius/nas/update', { id, ...changes });
    await update({ name: `Renamed-${id}` });
    await letIn({ secret, sender }, true);
    await soon(() => radius.state(id)).toMatchObject({ require_ma: true });
    const { data } = await call<{ list: { seq: number }[] }>('log/action/list', {});
    expect((await call('log/action/undo', { seq: data.list[0]!.seq })).code).toBe(2000);
    expect(await radius.state(id)).toMatchObject({ name: expect.not.stringContaining('Renamed'), require_ma: true });
    await update({ require_ma: false });
    await letIn({ secret, sender }, true);
    // a packet without a signature is answered only if the one before has not switched it on
    expect((await letIn({ secret, sender })).code).toBe(codes.accessAccept);
    expect(await radius.state(id)).toMatchObject({ require_ma: false });
  });

  it.each([true, false])('gives no answer to a request with another secret, signed: %s', async (signs) => {
    const { secret, sender, id } = await client();
    sender.send(accessRequest({ secret: 'not this one', ...credential(), signs }), radius.auth);
    await soon(() => refusalOf(id)).toBe('wrong_secret');
    expect((await letIn({ secret, sender })).code).toBe(codes.accessAccept);
    sender.send(accessRequest({ secret: 'nor this one', ...credential(), signs }), radius.auth);
    expect((await letIn({ secret, sender })).code).toBe(codes.accessAccept);
    expect(sender.answers).toHaveLength(2);
  });

  it('rejects by CHAP, which proves no secret, only after the client has proven its own', async () => {
    const { secret, sender, id } = await client();
    const wrong = (identifier: number) => {
      const attributes = [attribute('CHAP-Password', Buffer.concat([Buffer.of(1), Buffer.alloc(16, 7)]))];
      sender.send(accessRequest({ secret, username: 'nobody', pap: false, identifier, attributes }), radius.auth);
    };
    wrong(1);
    await soon(() => refusalOf(id)).toBe('unknown_user');
    expect(sender.answers).toHaveLength(0);
    await letIn({ secret, sender });
    wrong(2);
    await answered(sender, 2);
    expect(last(sender).code).toBe(codes.accessReject);
  });

  it('rejects a guest whose password is no text', async () => {
    const { secret, sender } = await client();
    const password = '\xe9t\xe9';
    sender.send(accessRequest({ secret, username: 'guest', password, encoding: 'latin1' }), radius.auth);
    await answered(sender, 1);
    expect(last(sender).code).toBe(codes.accessReject);
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

  it('asks the portal for no more of 200 wrong guesses at once than the limit', async () => {
    const { secret, sender, id } = await client();
    const go = radius.gate.hold();
    const before = radius.gate.asked.length;
    for (let at = 0; at < 200; at += 1)
      sender.send(guestRequest(secret, { username: 'nobody', password: 'x', identifier: at }), radius.auth);
    await soon(() => radius.gate.asked.length - before).toBe(10);
    go();
    await answered(sender, 10);
    await soon(() => refusalOf(id)).toBe('too_many');
    await letIn({ secret, sender });
    expect([sender.answers.length, radius.gate.asked.length - before]).toEqual([11, 11]);
  });

  it('refuses none of 200 right ones at once', async () => {
    const { secret, sender, id } = await client();
    const go = radius.gate.hold();
    const before = radius.gate.asked.length;
    for (let at = 0; at < 200; at += 1)
      sender.send(guestRequest(secret, { ...credential(), identifier: at }), radius.auth);
    await soon(() => radius.gate.asked.length - before).toBe(10);
    go();
    await answered(sender, 200);
    await soon(() => radius.state(id)).toMatchObject({ accepted: 200, rejected: 0, refusal: null });
  });

  it('is silent to unknown sources, however many packets they send', async () => {
    const { secret, sender } = await client();
    const stranger = await senderFrom('127.0.0.250');
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
    const sender = await senderFrom('127.0.0.251');
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
      if (!requestAuthenticatorCheck(request)(secret) || textOf(request, 'Acct-Session-Id') !== `kick-${code}`) return;
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
