import { expect, it } from 'vitest';
import { emptyPlan, type Plan } from '../render/plan.ts';
import { changes } from './changes.ts';
import { addressesOf } from './neighbours.ts';
import { nothingOwned } from './ownership.ts';

const [first, second] = ['02:00:00:00:00:01', '02:00:00:00:00:02'] as const;
const plan: Plan = { ...emptyPlan, nft: 'table inet yunxun { routed }\n', blocked: [first] };
const steps = (before: Plan, after: Plan) => changes(before, after, nothingOwned, '/run/yunxun-edge');

it('changes only the list, in one transaction, and ends the connections of newly blocked clients', () => {
  expect(steps(plan, { ...plan, blocked: [first, second] })).toEqual([
    {
      do: 'run',
      argv: ['nft', '-f', '-'],
      input: `flush set inet yunxun blocked\nadd element inet yunxun blocked { ${first}, ${second} }\n`,
    },
    { do: 'disconnect', macs: [second] },
  ]);
});

it('empties the list without ending anything', () => {
  expect(steps(plan, { ...plan, blocked: [] })).toEqual([
    { do: 'run', argv: ['nft', '-f', '-'], input: 'flush set inet yunxun blocked\n' },
  ]);
});

it('makes a table that changes together with its list', () => {
  expect(steps(plan, { ...plan, nft: 'table inet yunxun { other }\n' })).toEqual([
    {
      do: 'run',
      argv: ['nft', '-f', '-'],
      input: `table inet yunxun { other }\nadd element inet yunxun blocked { ${first} }\n`,
    },
  ]);
});

it('finds the addresses of a MAC among neighbours', () => {
  const printed = JSON.stringify([
    { dst: '10.1.0.20', dev: 'yx-lan', lladdr: '02:00:00:00:00:01', state: ['REACHABLE'] },
    { dst: '10.1.0.21', dev: 'yx-lan', lladdr: '02:00:00:00:00:02', state: ['STALE'] },
    { dst: '10.1.0.22', dev: 'yx-lan', state: ['FAILED'] },
    { dst: '-D', dev: 'yx-lan', lladdr: '02:00:00:00:00:01' },
  ]);
  expect(addressesOf(printed, [first])).toEqual(['10.1.0.20']);
  expect(addressesOf('nonsense', [first])).toEqual([]);
});
