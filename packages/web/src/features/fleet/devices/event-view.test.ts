import { expect, test } from 'vitest';
import { eventView } from './event-view.ts';

test.each([
  ['crashlog', {}, 'bad'],
  ['wired.carrier-down', { name: 'LAN1' }, 'warn'],
  ['health.dns', {}, 'warn'],
  ['healthcheck', { sanity: 100 }, 'ok'],
  ['healthcheck', { sanity: 40 }, 'warn'],
  ['log', { severity: 3 }, 'bad'],
  ['log', { severity: 4 }, 'none'],
  ['something.new', null, 'none'],
])('%s %j is %s', (type, payload, tone) => {
  expect(eventView(type, payload).tone).toBe(tone);
});
