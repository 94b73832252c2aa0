import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  encodeAnswer,
  isAnswerTo,
  messageAuthenticatorCheck,
  messageAuthenticatorOf,
  proofOf,
  readsPassword,
  requestAuthenticatorCheck,
} from './authenticators.ts';
import { addressOf, attribute, textOf, vendorAttribute } from './dictionary.ts';
import {
  codes,
  decodePacket,
  encodePacket,
  headerBytes,
  MalformedPacket,
  maxPacketBytes,
  type Packet,
  trimmed,
} from './packet.ts';
import { chapResponse } from './testing/requests.ts';

const buffer = (size: { minLength: number; maxLength: number }) =>
  fc.uint8Array(size).map((bytes) => Buffer.from(bytes));
const octet = fc.integer({ min: 0, max: 255 });
const packets: fc.Arbitrary<Packet> = fc.record({
  code: octet,
  identifier: octet,
  authenticator: buffer({ minLength: 16, maxLength: 16 }),
  attributes: fc.array(fc.record({ type: octet, value: buffer({ minLength: 0, maxLength: 253 }) }), { maxLength: 15 }),
});

const secret = Buffer.from('a secret of this test');
const plain = (attributes: Packet['attributes'], code: number = codes.accessRequest): Packet => ({
  code,
  identifier: 7,
  authenticator: Buffer.alloc(16, 9),
  attributes,
});

describe('codec', () => {
  it('decodes what it encodes', () => {
    fc.assert(
      fc.property(packets, (packet) => {
        expect(decodePacket(encodePacket(packet))).toEqual(packet);
      }),
    );
  });

  it('reads any bytes, or refuses them by MalformedPacket alone', () => {
    const anything = buffer({ minLength: 0, maxLength: 5000 });
    const nearly = fc
      .tuple(packets, fc.array(fc.tuple(fc.nat(4096), octet), { maxLength: 8 }))
      .map(([packet, changes]) => {
        const bytes = encodePacket(packet);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        return bytes;
      });
    fc.assert(
      fc.property(fc.oneof(anything, nearly), (data) => {
        try {
          const packet = decodePacket(data);
          expect(encodePacket(packet)).toEqual(trimmed(data));
          for (const name of ['User-Name', 'Acct-Session-Id'] as const) textOf(packet, name);
          addressOf(packet);
          proofOf(packet, secret)?.('guess');
          readsPassword(packet)?.(secret);
          messageAuthenticatorCheck(packet)(secret);
          requestAuthenticatorCheck(packet)(secret);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedPacket);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('reads the most attributes that a packet can hold', () => {
    const empty = Buffer.alloc(maxPacketBytes);
    empty.writeUInt16BE(maxPacketBytes, 2);
    for (let at = headerBytes; at < maxPacketBytes; at += 2) empty[at + 1] = 2;
    expect(decodePacket(empty).attributes).toHaveLength((maxPacketBytes - headerBytes) / 2);
  });

  it.each([
    ['too short', Buffer.alloc(19), 'short'],
    ['a length below the header', Buffer.from(`01010013${'00'.repeat(16)}`, 'hex'), 'length'],
    ['a length beyond the data', Buffer.from(`01010030${'00'.repeat(16)}`, 'hex'), 'length'],
    ['an attribute of length 0', Buffer.from(`01010016${'00'.repeat(16)}0100`, 'hex'), 'attribute'],
    ['an attribute without a length', Buffer.from(`01010015${'00'.repeat(16)}01`, 'hex'), 'attribute'],
    ['an attribute beyond the packet', Buffer.from(`01010017${'00'.repeat(16)}010461`, 'hex'), 'attribute'],
  ])('refuses %s', (_, data, reason) => {
    expect(() => decodePacket(data)).toThrow(expect.objectContaining({ name: 'MalformedPacket', reason }));
  });

  it('ignores padding behind the length', () => {
    const bytes = encodePacket(plain([attribute('User-Name', 'x')]));
    expect(decodePacket(Buffer.concat([bytes, Buffer.alloc(9)])).attributes).toHaveLength(1);
  });

  it('writes vendor attributes as their vendors define them', () => {
    const { type, value } = vendorAttribute('WISPr-Bandwidth-Max-Up', 512_000);
    expect([type, value.toString('hex')]).toEqual([26, '0000372a07060007d000']);
    expect(vendorAttribute('MikroTik-Rate-Limit', '1k/2k').value.toString('latin1', 6)).toBe('1k/2k');
  });
});

describe('authenticators', () => {
  /** RFC 2865, section 7.1: PAP of Nemo, secret "xyzzy5461". */
  it('read the request of RFC 2865', () => {
    const data = Buffer.from(
      '010000380f403f9473978057bd83d5cb98f4227a01066e656d6f02120dbe708d93d413ce3196e43f782a0aee0406c0a80110050600000003',
      'hex',
    );
    const request = decodePacket(data);
    expect(textOf(request, 'User-Name')).toBe('nemo');
    const proves = proofOf(request, Buffer.from('xyzzy5461'))!;
    expect([proves('arctangent'), proves('arctangent '), proves('')]).toEqual([true, false, false]);
  });

  /** RFC 2865, section 7.1: its answer. */
  it('make the Response Authenticator of RFC 2865', () => {
    const answer = Buffer.from('0200002686fe220e7624ba2a1005f6bf9b55e0b20606000000010f06000000000e06c0a80103', 'hex');
    const authenticator = Buffer.from('0f403f9473978057bd83d5cb98f4227a', 'hex');
    expect(isAnswerTo(authenticator, decodePacket(answer), Buffer.from('xyzzy5461'))).toBe(true);
    expect(isAnswerTo(authenticator, decodePacket(answer), Buffer.from('xyzzy5462'))).toBe(false);
  });

  it('check a CHAP password against its challenge', () => {
    const challenge = Buffer.alloc(16, 3);
    const response = (password: string, against: Buffer) =>
      attribute('CHAP-Password', Buffer.concat([Buffer.of(5), chapResponse(5, password, against)]));
    const proves = proofOf(plain([response('guest', challenge), attribute('CHAP-Challenge', challenge)]), secret)!;
    expect([proves('guest'), proves('Guest')]).toEqual([true, false]);
    const without = proofOf(plain([response('guest', Buffer.alloc(16, 9))]), secret)!;
    expect(without('guest')).toBe(true);
  });

  it('put the Message-Authenticator first in answers to Access-Request, and in no other', () => {
    const answer = (code: number) =>
      decodePacket(
        encodeAnswer(plain([], code), { code: 2, attributes: [attribute('Class', Buffer.from('c'))] }, secret),
      );
    expect(answer(codes.accessRequest).attributes.map(({ type }) => type)).toEqual([80, 25]);
    expect(answer(codes.accountingRequest).attributes.map(({ type }) => type)).toEqual([25]);
  });

  it('refuse two Message-Authenticators', () => {
    const one = attribute('Message-Authenticator', Buffer.alloc(16));
    expect(messageAuthenticatorOf(plain([one]))).toBe('present');
    expect(messageAuthenticatorOf(plain([one, one]))).toBe('invalid');
    expect(messageAuthenticatorOf(plain([{ ...one, value: Buffer.alloc(15) }]))).toBe('invalid');
  });
});
