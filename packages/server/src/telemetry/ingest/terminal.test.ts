import { expect, test } from 'vitest';
import { terminalOf } from './terminal.ts';

const nothing = { mac: '020000000001', hostname: null, guess: null };
const guess = (words: Partial<Record<'vendor' | 'device' | 'class' | 'name', string>>) => ({
  vendor: null,
  device: null,
  class: null,
  name: null,
  ...words,
});

test.each([
  [{ guess: guess({ vendor: 'Apple', device: 'iPhone' }) }, ['ios', 'fingerprint', 'Apple', 'fingerprint', 'iOS']],
  [{ guess: guess({ vendor: 'Samsung', class: 'Phone' }) }, ['android', 'fingerprint', 'Samsung', 'fingerprint', null]],
  [{ guess: guess({ vendor: 'Sonos', class: 'Speaker' }) }, [null, null, 'Sonos', 'fingerprint', null]],
  [{ hostname: 'Annas-MacBook-Pro' }, ['mac', 'hostname', 'Apple', 'hostname', 'macOS']],
  [{ hostname: 'DESKTOP-4F7A1B2' }, ['windows', 'hostname', null, null, 'Windows']],
  [{ hostname: 'android-5c2e' }, ['android', 'hostname', null, null, 'Android']],
  [{ hostname: 'Redmi-Note-12' }, [null, null, 'Xiaomi', 'hostname', null]],
  [{ hostname: 'printer' }, [null, null, null, null, null]],
  [{ mac: '3c22fb000001' }, [null, null, 'Apple', 'oui', null]],
  [{ mac: '3e22fb000001' }, [null, null, null, null, null]],
  [
    {
      userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15',
      hostname: 'DESKTOP-4F7A1B2',
    },
    ['ios', 'user_agent', 'Apple', 'user_agent', 'iOS 17.4'],
  ],
  [
    { userAgent: 'Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36' },
    ['android', 'user_agent', 'Samsung', 'user_agent', 'Android 14'],
  ],
])('%j is identified by the most reliable source', (reported, [type, typeSource, brand, brandSource, os]) => {
  expect(terminalOf({ ...nothing, ...reported })).toEqual({ type, typeSource, brand, brandSource, os });
});
