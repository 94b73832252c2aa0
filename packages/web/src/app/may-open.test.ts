import { expect, test } from 'vitest';
import { may, maySee, refusedFor } from './may-open.ts';
import { layoutRoutes, type RouteRow } from './routes.ts';
import type { User } from './session.ts';

const row = (path: string): RouteRow => layoutRoutes.find((each) => each.path === path)!;
const operator = { permissions: ['network.read', 'network.write', 'config.write'], viewing: false } as unknown as User;
const seenAs: User = { ...operator, viewing: true };

test('what changes something is offered to whoever may, and to nobody who only looks at it as somebody else', () => {
  expect(may(operator, 'network.write')).toBe(true);
  expect(may(operator, 'job.write')).toBe(false);
  expect(may(seenAs, 'network.write')).toBe(false);
  expect(may(seenAs, 'network.read')).toBe(true);
});

test('a closed row says why: a missing permission, or that somebody else’s view is shown', () => {
  expect(refusedFor(row('/networks'), seenAs)).toBeNull();
  expect(refusedFor(row('/logs/action'), seenAs)).toBe('permission');
  expect(refusedFor(row('/config/template_edit/$id'), seenAs)).toBe('viewing');
  expect(refusedFor(row('/config/template_edit/$id'), operator)).toBeNull();
});

test('the own personal centre is not in the menus of somebody else’s view', () => {
  for (const path of ['/profile', '/security', '/personalization']) {
    expect([path, maySee(row(path), operator), maySee(row(path), seenAs)]).toEqual([path, true, false]);
  }
});
