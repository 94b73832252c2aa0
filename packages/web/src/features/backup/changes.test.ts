import { beforeAll, expect, it } from 'vitest';
import { install } from '../../app/i18n.ts';
import { en } from '../../messages/all.ts';
import { saying } from './changes.tsx';

beforeAll(() => install('en', en));

it('shows of a device that got a setting of its own what it is, and calls a band as everywhere', () => {
  const radio = { band: '5G', channel: 44, width: null, power: null, enabled: null };
  const lines = saying([
    { path: '/overrides/0c4b54a1b2c3/radios/5G', before: null, after: radio },
    { path: '/overrides/0c4b54a1b2c3/ssids_off', before: null, after: [] },
  ]);
  expect(lines.map(({ after }) => after)).toEqual(['5 GHz', '44']);
  expect(lines[1]!.path).toContain('5 GHz');
  expect(lines[1]!.path).not.toContain('5G');
});

it('keeps a value that went', () => {
  expect(saying([{ path: '/wireless/country', before: 'CN', after: null }])).toHaveLength(1);
});
