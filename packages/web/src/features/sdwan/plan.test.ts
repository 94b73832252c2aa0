import { describe, expect, it } from 'vitest';
import {
  addedErrors,
  fitted,
  mapped,
  nodeOf,
  type PlanNode,
  parentsFor,
  rootPid,
  withoutNode,
  withRole,
} from './plan.ts';

const nodes = ['a', 'b', 'c'].map((key, index): PlanNode => nodeOf({ key, lans: [{ prefix: `10.${index}.0.0/24` }] }));
const rolesOf = (plan: readonly PlanNode[]) => plan.map(({ role }) => role).join();
const pidsOf = (plan: readonly PlanNode[]) => plan.map(({ pid }) => pid).join();

describe('plan of an SD-WAN network in the browser', () => {
  it('makes the first node the centre of a star and the root of a tree', () => {
    expect(rolesOf(fitted(2, nodes))).toBe('main,,');
    expect(pidsOf(fitted(3, nodes))).toBe(`${rootPid},a,a`);
    expect(rolesOf(fitted(1, fitted(2, nodes)))).toBe(',,');
  });

  it('moves the main role, so that two nodes never have it', () => {
    expect(rolesOf(withRole(fitted(2, nodes), 'c', 'main'))).toBe(',,main');
  });

  it('keeps children of a removed node in the tree', () => {
    const chain = fitted(3, nodes).map((node) => (node.key === 'c' ? { ...node, pid: 'b' } : node));
    expect(pidsOf(withoutNode(chain, 'b'))).toBe(`${rootPid},a`);
  });

  it('offers no descendant as a parent', () => {
    const chain = fitted(3, nodes).map((node) => (node.key === 'c' ? { ...node, pid: 'b' } : node));
    expect(parentsFor(chain, 'b')).toEqual(['a']);
  });

  it('maps only the prefix that the check names', () => {
    const plan = mapped(nodes, [{ key: 'b', prefix: '10.1.0.0/24', as: '10.99.1.0/24' }]);
    expect(plan.map(({ lans }) => lans[0]?.as)).toEqual([undefined, '10.99.1.0/24', undefined]);
  });

  it('distinguishes errors that a change adds from existing ones', () => {
    const error = (code: 'expired' | 'pid_unknown', key: string | null) => ({ code, key, field: null, params: {} });
    const before = [error('expired', null)];
    expect(addedErrors(before, before)).toEqual([]);
    expect(addedErrors(before, [...before, error('pid_unknown', 'c')])).toEqual([error('pid_unknown', 'c')]);
  });
});
