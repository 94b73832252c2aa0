import { createCipheriv } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fasText, newClient, sealedFas } from '../testing/guest.ts';
import { isGatewayAddress, webAddress } from './adapter.ts';
import { acknowledged, authmonList, maxAnswer, maxEntries, parseAuthmon, parseDeauthed } from './authmon.ts';
import { decryptFas, openFas, openNds3, parseFas } from './opennds.ts';

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const entry = fc.record({
  rhid: hex(64),
  minutes: fc.nat(43_200),
  upKbps: fc.nat(1_000_000),
  downKbps: fc.nat(1_000_000),
  ticket: fc.string({ unit: fc.constantFrom(...'abcXYZ019_-'), minLength: 22, maxLength: 22 }),
});

it('answers whole entries, four at most, within 1,000 characters, and in order', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 12 }), (entries) => {
      const answer = authmonList(entries);
      expect(answer.length).toBeLessThanOrEqual(maxAnswer);
      const [star, ...words] = answer.split(' ');
      expect(star).toBe('*');
      expect(words.length).toBe(Math.min(entries.length, maxEntries));
      for (const [index, word] of words.entries()) {
        const [rhid, minutes, up, down, upKb, downKb, custom] = decodeURIComponent(word).split(' ');
        const sent = entries[index]!;
        expect([rhid, Number(minutes), Number(up), Number(down)]).toEqual([
          sent.rhid,
          sent.minutes,
          sent.upKbps,
          sent.downKbps,
        ]);
        expect([upKb, downKb]).toEqual(['0', '0']);
        expect(parseDeauthed(`method=idle, custom=${custom}`)?.ticket).toBe(sent.ticket);
      }
    }),
  );
});

it('reads acknowledgements whatever white space separates them', () => {
  const space = fc.constantFrom(' ', '\n', '  ', '\t', ' \n');
  fc.assert(
    fc.property(fc.array(fc.tuple(space, hex(64)), { maxLength: 8 }), (parts) => {
      expect(acknowledged(`*${parts.flat().join('')}`)).toEqual(parts.map(([, rhid]) => rhid));
    }),
  );
});

it('reads both dialects of a poll: a base64 + may arrive as a space', () => {
  fc.assert(
    fc.property(hex(64), fc.string(), (gatewayhash, text) => {
      const payload = Buffer.from(`* ${text}`).toString('base64').replaceAll('+', ' ');
      const call = parseAuthmon(new URLSearchParams({ auth_get: 'view', gatewayhash, payload }));
      expect(call).toEqual({ act: 'view', gatewayHash: gatewayhash, payload: `* ${text}`.trim() });
    }),
  );
});

it('never fails on any input', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (one, two, three) => {
      openFas(one);
      decryptFas(one, two, three);
      parseFas(one, true);
      parseDeauthed(one);
      acknowledged(one);
      webAddress(one);
      parseAuthmon(new URLSearchParams({ auth_get: 'view', gatewayhash: one, payload: two }));
    }),
  );
});

it('reads what openNDS 9.10 sends', () => {
  const client = newClient();
  expect(parseFas(fasText(client), true)).toEqual({
    verified: true,
    mac: client.mac,
    ip: client.ip,
    client: client.hid,
    origin: 'http://203.0.113.10/generate_204',
    gateway: { address: '192.168.77.1:2050', name: 'yunxun%20Node%3a66c011370b7e%20' },
  });
});

it('takes no other client from a changed ciphertext', () => {
  const key = 'k'.repeat(32);
  fc.assert(
    fc.property(fc.nat(1000), fc.integer({ min: 1, max: 255 }), (at, mask) => {
      const client = newClient();
      const query = new URLSearchParams(sealedFas(client, key));
      const bytes = Buffer.from(Buffer.from(query.get('fas')!, 'base64').toString(), 'base64');
      bytes[at % bytes.length]! ^= mask;
      const changed = Buffer.from(bytes.toString('base64')).toString('base64');
      const text = decryptFas(changed, query.get('iv')!, key);
      const arrival = text === null ? null : parseFas(text, true);
      if (arrival) expect([arrival.mac, arrival.ip]).toEqual([client.mac, client.ip]);
    }),
  );
});

/** Level 3 redirect of a client that asked for the address, and its bytes. */
function sealedWith(key: string, address: string) {
  const client = newClient();
  const text = fasText(client).replace(/originurl=[^,]*/, `originurl=${address}`);
  const iv = '0123456789abcdef';
  const cipher = createCipheriv('aes-256-cbc', key, iv);
  const bytes = Buffer.concat([cipher.update(text, 'latin1'), cipher.final()]);
  const arrive = (changed: Buffer) => {
    const fas = Buffer.from(changed.toString('base64')).toString('base64');
    const query = new URLSearchParams({ fas, iv });
    return openNds3.arrival({ url: '', host: '', query }, key);
  };
  return { client, text, bytes, arrive };
}

it('reads no MAC from the address that a visitor asked for and then changed', () => {
  const key = 'k'.repeat(32);
  const victim = 'aabbccddeeff';
  for (let room = 0; room < 16; room += 1) {
    const address = `${'a'.repeat(room)}${'S'.repeat(16)}${'K'.repeat(16)}${victim.slice(4)}`;
    const { client, text, bytes, arrive } = sealedWith(key, address);
    const known = text.indexOf('K');
    if (known % 16 !== 0) continue;
    expect(arrive(bytes)?.mac).toBe(client.mac);
    for (let garbled = 0; garbled < known / 16 - 1; garbled += 1) {
      const changed = Buffer.from(bytes);
      changed[garbled * 16]! ^= 1;
      const wanted = `, clientmac=${victim.slice(0, 4)}`;
      for (let n = 0; n < 16; n += 1) changed[known - 16 + n]! ^= 'K'.charCodeAt(0) ^ wanted.charCodeAt(n);
      expect([undefined, client.mac]).toContain(arrive(changed)?.mac);
    }
  }
});

it('takes no other MAC from a redirect with a changed block', () => {
  const block = fc.uint8Array({ minLength: 16, maxLength: 16 });
  fc.assert(
    fc.property(fc.nat(1000), block, fc.stringMatching(/^[\w%.-]{0,80}$/), (at, mask, address) => {
      const { client, bytes, arrive } = sealedWith('k'.repeat(32), address);
      const from = (at % (bytes.length / 16)) * 16;
      for (let n = 0; n < 16; n += 1) bytes[from + n]! ^= mask[n]!;
      expect([undefined, client.mac]).toContain(arrive(bytes)?.mac);
    }),
  );
});

it('sends browsers to private addresses only', () => {
  for (const good of ['192.168.1.1:2050', '10.0.0.1', '172.16.3.4:80', 'status.client', '100.64.0.1:3990'])
    expect(isGatewayAddress(good)).toBe(true);
  for (const bad of [
    '203.0.113.9',
    '8.8.8.8:2050',
    'evil.example',
    '192.168.1.1:99999',
    '192.168.1.1@evil',
    '10.0.0.999',
    '',
  ])
    expect(isGatewayAddress(bad)).toBe(false);
});
