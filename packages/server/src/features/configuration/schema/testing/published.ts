import { isRecord } from '@yunxun/contract/device';

type Leaf = (value: unknown) => boolean;
export type Shape = Leaf | readonly [Shape] | { readonly [key: string]: Shape };

const text: Leaf = (value) => typeof value === 'string';
const flag: Leaf = (value) => typeof value === 'boolean';
const number: Leaf = (value) => typeof value === 'number';
const characters =
  (min: number, max: number): Leaf =>
  (value) =>
    typeof value === 'string' && value.length >= min && value.length <= max;
const integer =
  (min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY): Leaf =>
  (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
const oneOf =
  (...values: readonly (string | number)[]): Leaf =>
  (value) =>
    values.some((one) => one === value);

const bands = oneOf('2G', '5G', '5G-lower', '5G-upper', '6G', 'HaLow');
const addressing = oneOf('dynamic', 'static', 'none');
const roles = oneOf('upstream', 'downstream');
const radiusServer = { host: text, port: integer(1024, 65_535), secret: text };

const ssid = (gate: { readonly [key: string]: Shape }, disconnects: { readonly [key: string]: Shape }): Shape => ({
  ...gate,
  name: characters(1, 32),
  'wifi-bands': [bands],
  'bss-mode': oneOf('ap', 'sta', 'mesh', 'wds-ap', 'wds-sta', 'wds-repeater'),
  'hidden-ssid': flag,
  'isolate-clients': flag,
  'maximum-clients': integer(),
  encryption: {
    proto: oneOf(
      'none',
      'owe',
      'owe-transition',
      'psk',
      'psk2',
      'psk-mixed',
      'psk2-radius',
      'wpa',
      'wpa2',
      'wpa-mixed',
      'sae',
      'sae-mixed',
      'wpa3',
      'wpa3-192',
      'wpa3-mixed',
      'mpsk-radius',
    ),
    key: characters(8, 63),
    ieee80211w: oneOf('disabled', 'optional', 'required'),
  },
  'multi-psk': [{ mac: text, key: characters(8, 63), 'vlan-id': integer(undefined, 4096) }],
  rrm: { 'neighbor-reporting': flag },
  'rate-limit': { 'ingress-rate': integer(), 'egress-rate': integer() },
  roaming: { 'message-exchange': oneOf('air', 'ds'), 'generate-psk': flag },
  radius: { authentication: radiusServer, accounting: { ...radiusServer, interval: integer(60, 600) }, ...disconnects },
  'quality-thresholds': { 'association-request-rssi': integer(), 'client-kick-rssi': integer() },
  'access-control-list': { mode: oneOf('allow', 'deny'), 'mac-address': [text] },
});

/** Mode `uam`; two of its enumerations have one value that is used. */
const captive = {
  'auth-mode': oneOf('uam'),
  'uam-server': text,
  'uam-port': integer(1024, 65_535),
  'uam-secret': text,
  nasid: text,
  'mac-format': oneOf(
    'aabbccddeeff',
    'aa-bb-cc-dd-ee-ff',
    'aa:bb:cc:dd:ee:ff',
    'AABBCCDDEEFF',
    'AA:BB:CC:DD:EE:FF',
    'AA-BB-CC-DD-EE-FF',
  ),
  'final-redirect-url': oneOf('default', 'uam'),
  'idle-timeout': integer(),
  'walled-garden-fqdn': [text],
  'walled-garden-ipaddr': [text],
  'auth-server': text,
  'auth-port': integer(1024, 65_535),
  'auth-secret': text,
  'acct-server': text,
  'acct-port': integer(1024, 65_535),
  'acct-secret': text,
  'acct-interval': integer(),
  'radius-gw-proxy': flag,
} satisfies Shape;

const wireless = (pool: Shape, gated: boolean): Shape => ({
  uuid: integer(),
  unit: { name: text, 'leds-active': flag },
  radios: [
    {
      band: bands,
      channel: (value) => value === 'auto' || integer(1, 233)(value),
      country: characters(2, 2),
      'channel-mode': oneOf('HT', 'VHT', 'HE', 'EHT'),
      'channel-width': oneOf(1, 2, 4, 8, 20, 40, 80, 160, 320, 8080),
      enable: flag,
      'tx-power': integer(0, 30),
    },
  ],
  interfaces: [
    {
      name: text,
      role: roles,
      services: [text],
      vlan: { id: integer(undefined, 4050) },
      ethernet: [{ 'select-ports': [text], 'vlan-tag': oneOf('tagged', 'un-tagged', 'auto') }],
      ipv4: { addressing, subnet: text, dhcp: pool },
      ssids: [ssid(gated ? { services: [text] } : {}, gated ? { 'dynamic-authorization': radiusServer } : {})],
    },
  ],
  services: {
    lldp: { describe: text },
    fingerprint: {
      mode: oneOf('polled', 'final', 'raw'),
      'minimum-age': number,
      'maximum-age': number,
      periodicity: number,
    },
    ...(gated ? { captive } : {}),
  },
  metrics: {
    statistics: { interval: integer(60), types: [oneOf('ssids', 'lldp', 'clients', 'tid-stats')] },
    health: { interval: integer(60) },
    realtime: { types: [text] },
  },
});

/** Facts of the published schemas (docs/protocol.md) about paths that our documents use, apart from our own schemas. */
export const published = {
  ap: wireless({ 'lease-first': integer(), 'lease-count': integer(), 'lease-time': text }, true),
  olg: wireless({ 'lease-start': text, 'lease-end': text, 'lease-time': text }, false),
  switch: {
    uuid: integer(),
    unit: { name: text },
    ethernet: [
      {
        'select-ports': [text],
        speed: oneOf(10, 100, 1000, 2500, 5000, 10_000, 25_000, 40_000, 50_000, 100_000, 200_000),
        duplex: oneOf('half', 'full'),
        enabled: flag,
        poe: { 'admin-mode': flag, 'do-reset': flag },
      },
    ],
    switch: {
      'loop-detection': {
        protocol: oneOf('none', 'stp', 'rstp', 'mstp', 'pvstp', 'rpvstp'),
        instances: [{ id: integer(), enabled: flag }],
      },
    },
    interfaces: [
      {
        name: text,
        role: roles,
        services: [text],
        vlan: { id: integer(undefined, 4094), proto: oneOf('802.1ad', '802.1q') },
        ethernet: [{ 'select-ports': [text], 'vlan-tag': oneOf('tagged', 'un-tagged', 'auto') }],
        ipv4: { addressing },
      },
    ],
    services: { lldp: {} },
    metrics: {
      statistics: { interval: integer(60), types: [oneOf('lldp', 'clients')] },
      health: { interval: integer(60) },
    },
  },
} as const satisfies Record<string, Shape>;

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);

/** Returns paths that the shape lacks, and those with another type or outside its limits. */
export function strangers(value: unknown, shape: Shape | undefined, path = ''): string[] {
  if (shape === undefined) return [path];
  if (typeof shape === 'function') return shape(value) ? [] : [path];
  if (isList(shape))
    return Array.isArray(value) ? value.flatMap((entry) => strangers(entry, shape[0], `${path}[]`)) : [path];
  if (!isRecord(value)) return [path];
  return Object.entries(value).flatMap(([name, inner]) =>
    strangers(inner, shape[name], path ? `${path}.${name}` : name),
  );
}

export function shapeLeaves(shape: Shape, path = ''): string[] {
  if (typeof shape === 'function') return [path];
  if (isList(shape)) return shapeLeaves(shape[0], `${path}[]`);
  const entries = Object.entries(shape);
  if (entries.length === 0) return [path];
  return entries.flatMap(([name, inner]) => shapeLeaves(inner, path ? `${path}.${name}` : name));
}
