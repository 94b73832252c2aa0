import { expect, it } from 'vitest';
import { isLoss } from './kernel-watch.ts';

it.each([
  ['Deleted default via 198.51.100.1 dev wan1 proto 201 metric 10 onlink ', true],
  ['Deleted 4: wan1    inet 198.51.100.9/24 scope global wan1', true],
  ['Deleted 20131:\tfrom 198.51.100.9 lookup 201 proto 201', true],
  ['4: wan1: <BROADCAST,MULTICAST> mtu 1500 qdisc noqueue state DOWN group default ', true],
  ['4: wan1@if2: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue state UP group default ', false],
  ['default via 198.51.100.1 dev wan1 proto 201 metric 10 onlink ', false],
  ['    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff', false],
])('reads "%s" of ip monitor as a loss: %s', (line, loss) => {
  expect(isLoss(line)).toBe(loss);
});
