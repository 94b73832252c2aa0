import { expect, it } from 'vitest';
import { contentOf, emptyDraft, isChanged, lockable } from './draft.ts';

const radio = { band: '5G', enabled: null, channel: 36, width: null, mode: null, power: 'low' } as const;

it('offers to lock what is set, and forgets a lock of what is not any more', () => {
  const draft = { ...emptyDraft, radios: [radio], country: 'CN', general: { ...emptyDraft.general, leds: false } };
  const paths = lockable(draft).map(({ path }) => path);
  expect(paths).toEqual(['radios.5G.channel', 'radios.5G.power', 'country', 'general.leds']);
  const locked = { ...draft, locks: ['radios.5G.channel', 'country'] };
  expect(contentOf(locked).locks).toEqual(['radios.5G.channel', 'country']);
  expect(contentOf({ ...locked, country: null }).locks).toEqual(['radios.5G.channel']);
});

it('is changed by a name, a value or a lock, and by nothing else', () => {
  const draft = { ...emptyDraft, name: 'Shops', radios: [radio] };
  expect(isChanged(draft, { ...draft })).toBe(false);
  expect(isChanged({ ...draft, name: 'Hotels' }, draft)).toBe(true);
  expect(isChanged({ ...draft, locks: ['radios.5G.channel'] }, draft)).toBe(true);
  expect(isChanged({ ...draft, locks: ['general.leds'] }, draft)).toBe(false);
});
