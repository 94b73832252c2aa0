import { uplinkName } from '@yunxun/contract/uplink-names';
import { expect, it } from 'vitest';
import { readDocument } from '../document/index.ts';
import { fullFacts, type JsonObject, smallDocument } from '../document/testing/documents.ts';
import { render } from './index.ts';

const wan = (name: string, port: string, metric: number): JsonObject => ({
  name,
  role: 'upstream',
  metric,
  ethernet: [{ 'select-ports': [port] }],
  ipv4: { addressing: 'dynamic' },
});

function uplinks(lines: readonly JsonObject[]): string[] {
  const read = readDocument({ ...smallDocument(), interfaces: [...lines] }, fullFacts);
  if ('refused' in read) throw new Error(read.refused.join('\n'));
  const { layout, lines: planned } = render(read.document, fullFacts);
  const named = layout.interfaces.map(({ name, device }) => `${name} ${device}`).toSorted();
  expect(planned.map((one) => `${one.interface} ${one.device}`).toSorted()).toEqual(named);
  expect(layout.lines.map((one) => `${one.interface} ${one.device}`).toSorted()).toEqual(named);
  return named;
}

it('a socket keeps the name that its counters go under, whatever rank its line has', () => {
  const [first, second] = [wan('Fibre', 'WAN1', 1), wan('Cable', 'WAN2', 2)];
  const before = uplinks([first, second]);
  expect(before).toEqual(['up0v0 eth0', 'up1v0 enp3s0']);
  expect(uplinks([wan('Cable', 'WAN2', 1), wan('Fibre', 'WAN1', 2)])).toEqual(before);
  expect(uplinks([wan('Cable', 'WAN2', 1)])).toEqual(['up1v0 enp3s0']);
});

it('a socket for terminals that becomes a line has a name that no other socket has', () => {
  expect(uplinks([wan('Fibre', 'WAN1', 1), wan('Cable', 'LAN1', 2)])).toEqual(['up0v0 eth0', 'up101v0 eth1']);
  const ports = ['WAN', 'LAN'].flatMap((side) => Array.from({ length: 99 }, (_, index) => `${side}${index + 1}`));
  expect(new Set(ports.map((port) => uplinkName(port, 0))).size).toBe(ports.length);
});
