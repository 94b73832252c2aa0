import { expect, it } from 'vitest';
import { draftOf, type Host, rowOf } from './found-host.ts';

const host = (more: Partial<Host>): Host => ({
  ip: '192.168.1.64',
  mac: 'bcad28000064',
  vendor: null,
  hostname: 'door',
  ports: [],
  type: 'camera',
  guess: 'port',
  name: null,
  model: null,
  known: null,
  ...more,
});

it('is named as its lease says, unless that is no name', () => {
  expect(draftOf(host({}), 'Camera')).toEqual({ name: 'door', type: 'camera' });
  for (const hostname of [null, '', '<b>x</b>']) expect(draftOf(host({ hostname }), 'Camera').name).toBe('Camera-64');
  expect(draftOf(host({ hostname: null, name: 'IP CAMERA' }), 'Camera').name).toBe('IP CAMERA');
});

it('is probed on its most telling port, and by ICMP without one', () => {
  const draft = { name: 'door', type: 'camera' as const };
  expect(rowOf(host({ ports: [22, 80, 554] }), draft, 1)).toEqual({
    line: 1,
    name: 'door',
    type: 'camera',
    network: '',
    group: '',
    ip: '192.168.1.64',
    mac: 'bcad28000064',
    mode: 'tcp',
    detect_port: '554',
    web_port: '80',
    shell_port: '22',
  });
  expect(rowOf(host({ ports: [37_777] }), draft, 1)).toMatchObject({ mode: 'tcp', detect_port: '37777', web_port: '' });
  expect(rowOf(host({}), draft, 1)).toMatchObject({ mode: 'icmp', detect_port: '' });
});
