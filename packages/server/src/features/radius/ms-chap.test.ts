import { expect, it } from 'vitest';
import { md4 } from './md4.ts';
import { authenticatorResponse, checkMsChap2, ntPasswordHash } from './ms-chap.ts';

const hex = (text: string) => Buffer.from(text, 'hex');

it.each([
  ['', '31d6cfe0d16ae931b73c59d7e0c089c0'],
  ['a', 'bde52cb31de33e46245e05fbdbd6fb24'],
  ['abc', 'a448017aaf21d8525fc10ae87aa6729d'],
  ['message digest', 'd9130a8164549fe818874806e1c7014b'],
  ['abcdefghijklmnopqrstuvwxyz', 'd79e1c308aa5bbcdeea8ed63df412da9'],
  ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', '043f8582f241db351ce627e153e7f0e4'],
  [
    '12345678901234567890123456789012345678901234567890123456789012345678901234567890',
    'e33b4ddc9c38f2199c3e7b164fcc0536',
  ],
])('computes MD4 of “%s” as RFC 1320 does', (text, digest) => {
  expect(md4(Buffer.from(text)).toString('hex')).toBe(digest);
});

it('computes what RFC 2759, section 9.2 computes', () => {
  const exchange = {
    challenge: hex('5b5d7c7d7b3f2f3e3c2c602132262628'),
    response: {
      peerChallenge: hex('21402324255e262a28295f2b3a337c7e'),
      ntResponse: hex('82309ecd8d708b5ea08faa3981cd83544233114a3d85d6df'),
    },
    username: 'User',
  };
  expect(ntPasswordHash('clientPass')).toEqual(hex('44ebba8d5312b8d611474411f56989ae'));
  expect(md4(ntPasswordHash('clientPass'))).toEqual(hex('41c00c584bd2d91c4017a2a12fa59f3f'));
  const hash = checkMsChap2(exchange, 'clientPass');
  expect(hash).toEqual(ntPasswordHash('clientPass'));
  expect(authenticatorResponse(exchange, hash!)).toBe('S=407A5589115FD0D6209F510FE9C04566932CDA56');
  expect(checkMsChap2({ ...exchange, username: 'CORP\\User' }, 'clientPass')).toEqual(hash);
  expect(checkMsChap2(exchange, 'clientPasS')).toBeNull();
  expect(checkMsChap2({ ...exchange, username: 'Other' }, 'clientPass')).toBeNull();
});
