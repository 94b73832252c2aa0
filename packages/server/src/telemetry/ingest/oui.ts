/** By OUI (IEEE register). */
const makers: Readonly<Record<string, string>> = {
  Apple:
    '000393 000a95 0017f2 001b63 001ec2 002500 28cfe9 3c0754 3c22fb 406c8f 600308 685b35 705681 7831c1 7c6d62 88665a 9801a7 a483e7 a8667f b8e856 bc52b7 d83062 f01898 f0dbf8 f40f24',
  Samsung: '0012fb 001599 001632 0017c9 001d25 5c0a5b 78471d 8c7712 e8508b f47b5e',
  Huawei: '001882 001e10 002568 00464b 04c06f 20f3a3 283152 4846fb 70723c e0247f f83dff',
  Xiaomi: '0c1daf 14f65a 185936 286c07 3480b3 640980 64b473 7c1dd9 8cbebe 98fae3 f0b429 f8a45f',
  OPPO: '2c5bb8 8c0ee3 a43d78 cc2d83 e8bba8',
  OnePlus: '94652d c0eefb',
  Google: '3c5ab4 94eb2c f4f5e8',
  Dell: '001422 001ec9 180373 b8ac6f d4bed9 f8b156',
  HP: '001f29 3cd92b 9c8e99 a0d3c1',
  ASUS: '001d60 08606e 14dae9 1c872c 50465d ac220b',
  Microsoft: '281878 7c1e52 c0335e',
  Intel: '001b21 001e67 3ca9f4 7c5cf8 8ca982 a088b4 a44e31',
  'Raspberry Pi': 'b827eb dca632 e45f01',
  Espressif: '18fe34 240ac4 246f28 30aea4 5ccf7f a4cf12',
  Hikvision: '2857be 4419b6 bcad28 c056e3',
  Dahua: '3cef8c 9002a9',
  'TP-Link': '14cc20 50c7bf ec086b',
};

const brands = new Map(
  Object.entries(makers).flatMap(([brand, prefixes]) => prefixes.split(' ').map((prefix) => [prefix, brand] as const)),
);

export function brandOfMac(mac: string): string | null {
  return brands.get(mac.slice(0, 6)) ?? null;
}
