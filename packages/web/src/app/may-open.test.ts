import { expect, test } from 'vitest';
import { may, maySee, refusedFor } from './may-open.ts';
import { layoutRoutes, type RouteRow } from './routes.ts';
import type { User } from './user.ts';

const row = (path: string): RouteRow => layoutRoutes.find((each) => each.path === path)!;
const operator = {
  permissions: ['network.read', 'network.write', 'config.write'],
  viewing: false,
  gwids: null,
  sdwan_status: true,
} as unknown as User;
const seenAs: User = { ...operator, viewing: true };

test('offers changes to members with the permission, and never while viewing as another member', () => {
  expect(may(operator, 'network.write')).toBe(true);
  expect(may(operator, 'job.write')).toBe(false);
  expect(may(seenAs, 'network.write')).toBe(false);
  expect(may(seenAs, 'network.read')).toBe(true);
});

test('gives the reason of a disabled row: a missing permission, or the view of another member', () => {
  expect(refusedFor(row('/networks'), seenAs)).toBeNull();
  expect(refusedFor(row('/logs/action'), seenAs)).toBe('permission');
  expect(refusedFor(row('/config/template_edit/$id'), seenAs)).toBe('viewing');
  expect(refusedFor(row('/config/template_edit/$id'), operator)).toBeNull();
});

test('hides the personal centre while viewing as another member', () => {
  for (const path of ['/profile', '/security', '/personalization']) {
    expect([path, maySee(row(path), operator), maySee(row(path), seenAs)]).toEqual([path, true, false]);
  }
});

test('a member limited to some networks sees no menu whose calls refuse it', () => {
  const permissions = ['config.read', 'billing.read', 'network.read', 'user.read'];
  const whole = { ...operator, permissions } as unknown as User;
  const limited: User = { ...whole, gwids: ['00000000-0000-7000-8000-000000000001'] };
  for (const path of [
    '/config/template_wireless/ac',
    '/config/template_wireless/wireless',
    '/config/ac_dynamic_password',
    '/billing/packages',
    '/billing/cards',
    '/billing/balance',
    '/billing/transactions',
  ]) {
    expect([path, maySee(row(path), whole), maySee(row(path), limited)]).toEqual([path, true, false]);
    expect(refusedFor(row(path), limited)).toBe('networks');
  }
  for (const path of ['/networks', '/networks/online_users/{-$gwid}'])
    expect([path, maySee(row(path), limited)]).toEqual([path, true]);
});

test('the pages of SD-WAN say that it is switched off for the account', () => {
  const off: User = { ...operator, sdwan_status: false };
  expect(refusedFor(row('/sdwan/index'), off)).toBe('sdwan');
  expect(maySee(row('/sdwan/index'), off)).toBe(false);
  expect(refusedFor(row('/sdwan/index'), operator)).toBeNull();
});
