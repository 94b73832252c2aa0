import { expect, it } from 'vitest';
import { wifiCode } from './wifi-code.ts';

const usual = { ssid: 'Guests', password: 'shop-2345678', hidden: false, wpa3_only: false };

it('a Wi-Fi code holds name and password as phones read them', () => {
  expect(wifiCode(usual)).toBe('WIFI:T:WPA;S:Guests;P:shop-2345678;;');
  expect(wifiCode({ ...usual, ssid: 'Caf:e; "A"', password: 'a\\b,c:d' })).toBe(
    'WIFI:T:WPA;S:Caf\\:e\\; \\"A\\";P:a\\\\b\\,c\\:d;;',
  );
});

it('a Wi-Fi code tells that the SSID is hidden, or takes WPA3 only', () => {
  expect(wifiCode({ ...usual, hidden: true })).toBe('WIFI:T:WPA;S:Guests;P:shop-2345678;H:true;;');
  expect(wifiCode({ ...usual, wpa3_only: true })).toBe('WIFI:T:SAE;S:Guests;P:shop-2345678;;');
});

it('a Wi-Fi code quotes what may be read as hex', () => {
  expect(wifiCode({ ...usual, ssid: 'CAFE', password: '12345678' })).toBe('WIFI:T:WPA;S:"CAFE";P:"12345678";;');
});

it('a Wi-Fi code has no quotes around a key of 64 hex digits, which is no passphrase', () => {
  const password = '0123456789abcdef'.repeat(4);
  expect(wifiCode({ ...usual, password })).toBe(`WIFI:T:WPA;S:Guests;P:${password};;`);
});
