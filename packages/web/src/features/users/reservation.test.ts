import { expect, test } from 'vitest';
import { reservationOf, reservedFor } from './reservation.tsx';

const row = { mac: '001a2b3c4d5e', ip: '10.7.0.120', ipv6: 'fe80::1', gwid: 'g', remark: '', hostname: 'camera-1' };

test('a reservation begins with what is known of the client: its MAC, its address now, its name', () => {
  expect(reservationOf(row)).toEqual({ lease_mac: '001a2b3c4d5e', lease_ip: '10.7.0.120', lease_name: 'camera-1' });
  expect(reservationOf({ ...row, ip: 'fe80::1' })).toMatchObject({ lease_ip: '' });
  expect(reservationOf({ ...row, ip: null, remark: '收银台' })).toMatchObject({ lease_ip: '', lease_name: '收银台' });
});

test('the address that is kept for a client is found by its MAC, however that is written', () => {
  const lan = {
    name: 'LAN',
    address: '10.7.0.1/24',
    vlan: null,
    ports: ['LAN1'],
    tagged: [],
    pool: { first: '10.7.0.100', count: 20, lease_minutes: 10 },
    leases: [{ mac: '00:1a:2b:3c:4d:5e', address: '10.7.0.20', note: '' }],
  };
  expect(reservedFor({ networks: [lan] }, '001a2b3c4d5e')).toBe('10.7.0.20');
  expect(reservedFor({ networks: [lan] }, '001a2b3c4d5f')).toBeUndefined();
});
