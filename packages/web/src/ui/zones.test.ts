import { expect, test, vi } from 'vitest';
import { applyPreferences } from '../app/preferences.ts';
import { offsetText, zonedTime, zoneOptions } from './zones.ts';

const winter = new Date('2026-01-15T00:00:00Z');

test('zones come from west to east with what they are ahead of UTC', () => {
  const options = zoneOptions(null, winter);
  const labels = options.map(({ label }) => label);
  expect(labels).toContain('Asia/Shanghai (UTC+08:00)');
  expect(labels).toContain('America/New_York (UTC-05:00)');
  expect(labels).toContain('UTC (UTC+00:00)');
  const at = (value: string) => options.findIndex((option) => option.value === value);
  expect(at('America/New_York')).toBeLessThan(at('Europe/Paris'));
  expect(at('Europe/Paris')).toBeLessThan(at('Asia/Shanghai'));
});

test('a zone with a half hour and the other half of the year', () => {
  expect(offsetText(-210)).toBe('UTC-03:30');
  const summer = zoneOptions(null, new Date('2026-07-15T00:00:00Z'));
  expect(summer.map(({ label }) => label)).toContain('America/New_York (UTC-04:00)');
});

test('a zone that the browser does not list can stay chosen', () => {
  expect(zoneOptions('Etc/GMT+1', winter)[0]?.value).toBe('Etc/GMT+1');
});

function prefer(time_zone: string | undefined): void {
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  applyPreferences({ personalization: { density: 'comfortable', page_size: 10 }, time_zone } as never);
  vi.unstubAllGlobals();
}

test.each([
  ['Asia/Kathmandu', '2027-01-01 02:15 (UTC+05:45)'],
  ['America/New_York', '2026-12-31 15:30 (UTC-05:00)'],
])('a time in %s names its offset', (zone, text) => {
  prefer(zone);
  const shown = zonedTime(new Date('2026-12-31T20:30:05.678Z'));
  prefer(undefined);
  expect(shown).toBe(text);
});
