import { smsProviders } from '@yunxun/contract/sms-providers';
import { expect, it } from 'vitest';
import { smsAdapters } from './providers.ts';

it('leaves no SMS provider without an adapter', () => {
  const { twilio: _adapter, ...rest } = smsAdapters;
  // @ts-expect-error a provider that sends nothing
  const incomplete: typeof smsAdapters = rest;
  expect(Object.keys(incomplete)).not.toContain('twilio');
  expect(['outbox', ...Object.keys(smsAdapters)]).toEqual(smsProviders);
});
