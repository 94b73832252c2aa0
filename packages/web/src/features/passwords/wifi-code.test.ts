import { expect, it } from 'vitest';
import { wifiCode } from './wifi-code.ts';

it('a Wi-Fi code holds name and password as phones read them', () => {
  expect(wifiCode('Guests', 'shop-2345678')).toBe('WIFI:T:WPA;S:Guests;P:shop-2345678;;');
  expect(wifiCode('Caf:e; "A"', 'a\\b,c:d')).toBe('WIFI:T:WPA;S:Caf\\:e\\; \\"A\\";P:a\\\\b\\,c\\:d;;');
});
