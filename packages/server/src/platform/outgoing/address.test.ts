import { lookup } from 'node:dns/promises';
import { describe, expect, it, vi } from 'vitest';
import { isPrivateAddress, PrivateAddress, publicAddresses, refusePrivateHost } from './address.ts';

vi.mock('node:dns/promises', () => ({ lookup: vi.fn() }));

const privateOnes = {
  'this host': ['0.0.0.0', '0.1.2.3', '::'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  'RFC 1918': ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  'carrier NAT': ['100.64.0.1'],
  'link-local': ['169.254.169.254', 'fe80::1', 'fe80::1%eth0'],
  'reserved, for tests and documents': [
    '192.0.0.8',
    '192.0.2.1',
    '198.18.0.1',
    '203.0.113.1',
    '2001:db8::1',
    '3fff::1',
  ],
  'multicast and broadcast': ['224.0.0.1', '255.255.255.255', 'ff02::1'],
  'unique local and site-local': ['fc00::1', 'fd12::1', 'fec0::1', 'feff::1'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:a00:1', '0:0:0:0:0:ffff:c0a8:101'],
  'IPv4-compatible': ['::127.0.0.1', '::10.0.0.1', '::7f00:1'],
  'IPv4-translated (RFC 2765)': ['::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  NAT64: ['64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::8.8.8.8', '64:ff9b:1:ffff::1'],
  '6to4 and Teredo': ['2002:7f00:1::', '2002:808:808::1', '2001:0:808:808::1', '2001::1'],
  'discard and unassigned': ['100::1', '4000::1', '5f00::1', '2001:20::1'],
};
const publicOnes = ['8.8.8.8', '100.128.0.1', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'];

describe('an outgoing target', () => {
  it.each(Object.entries(privateOnes))('is private: %s', async (_, addresses) => {
    for (const address of addresses) {
      expect(isPrivateAddress(address), address).toBe(true);
      await expect(publicAddresses(address), address).rejects.toThrow(PrivateAddress);
      expect(() => refusePrivateHost('url', address), address).toThrow('invalid');
    }
  });

  it.each(publicOnes)('is public: %s', async (address) => {
    expect((await publicAddresses(address)).map((one) => one.address)).toEqual([address]);
    expect(() => refusePrivateHost('url', address)).not.toThrow();
  });

  it.each(['localhost', 'LOCALHOST.', 'app.localhost'])('is refused by its name at saving: %s', (name) =>
    expect(() => refusePrivateHost('url', name)).toThrow('invalid'),
  );

  it('is refused when its name also resolves to a private address', async () => {
    const answers = [
      { address: '8.8.8.8', family: 4 },
      { address: '::127.0.0.1', family: 6 },
    ];
    vi.mocked(lookup).mockResolvedValueOnce(answers as never);
    await expect(publicAddresses('two.example')).rejects.toThrow(PrivateAddress);
  });
});
