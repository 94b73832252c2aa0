import {
  cidr4,
  closed,
  flag,
  integer,
  ipv4,
  type JsonSchema,
  leaseTime,
  listOf,
  mac,
  oneOf,
  text,
  uuid,
} from './parts.ts';

const radioBands = ['2G', '5G', '5G-lower', '5G-upper', '6G'] as const;

const radio = closed(
  {
    band: oneOf(...radioBands),
    channel: { anyOf: [integer(1, 233), { const: 'auto' }] },
    'channel-mode': oneOf('HT', 'VHT', 'HE', 'EHT'),
    'channel-width': oneOf(20, 40, 80, 160, 320),
    country: text(2, 2),
    enable: flag,
    'tx-power': integer(0, 30),
  },
  ['band'],
);

const key = { type: 'string', minLength: 8, maxBytes: 63 } as const;

const encryption: JsonSchema = {
  anyOf: [
    closed({ proto: oneOf('psk2', 'sae', 'sae-mixed'), key, ieee80211w: oneOf('optional', 'required') }, [
      'proto',
      'key',
    ]),
    closed({ proto: oneOf('wpa2', 'wpa3-mixed', 'wpa3'), ieee80211w: oneOf('optional', 'required') }, ['proto']),
    closed({ proto: oneOf('none', 'owe'), ieee80211w: oneOf('required') }, ['proto']),
  ],
};

const radiusServer = { host: text(1, 253), port: integer(1024, 65_535), secret: text(1, 63) };
const servers = {
  authentication: closed(radiusServer, ['host', 'port', 'secret']),
  accounting: closed({ ...radiusServer, interval: integer(60, 600) }, ['host', 'port', 'secret']),
};
const radius = closed(servers, ['authentication']);
const disconnects = { 'dynamic-authorization': closed(radiusServer, ['host', 'port', 'secret']) };
const gatedRadius: JsonSchema = {
  anyOf: [closed({ ...servers, ...disconnects }, ['authentication']), closed(disconnects, ['dynamic-authorization'])],
};

const uamFields = {
  'auth-mode': { const: 'uam' },
  'uam-server': { type: 'string', pattern: '^https?://[^?#]+$' },
  'uam-port': integer(1024, 65_535),
  'uam-secret': text(1, 63),
  nasid: text(1, 64),
  'mac-format': { const: 'aa-bb-cc-dd-ee-ff' },
  'final-redirect-url': { const: 'uam' },
  'idle-timeout': integer(60),
  'auth-server': text(1, 253),
  'auth-port': integer(1024, 65_535),
  'auth-secret': text(1, 63),
  'acct-server': text(1, 253),
  'acct-port': integer(1024, 65_535),
  'acct-secret': text(1, 63),
  'acct-interval': integer(60),
  'radius-gw-proxy': { const: true },
};
const captive = closed(
  {
    ...uamFields,
    // the firewall of the firmware skips wildcards
    'walled-garden-fqdn': listOf({ type: 'string', pattern: '^[^*\\s]+$' }, { min: 1 }),
    'walled-garden-ipaddr': listOf(ipv4, { min: 1 }),
  },
  Object.keys(uamFields),
);

/** dBm. */
const rssi = integer(-95, -50);

const ssidFields = {
  // the firmware counts bytes
  name: { type: 'string', minLength: 1, maxBytes: 32 },
  'wifi-bands': { ...listOf(oneOf('2G', '5G', '6G'), { min: 1 }), uniqueItems: true },
  'bss-mode': oneOf('ap'),
  'hidden-ssid': flag,
  'isolate-clients': flag,
  'maximum-clients': integer(1, 2007),
  encryption,
  'access-control-list': closed({ mode: oneOf('deny'), 'mac-address': listOf(mac) }, ['mode', 'mac-address']),
  'rate-limit': closed({ 'ingress-rate': integer(1, 10_000), 'egress-rate': integer(1, 10_000) }, [
    'ingress-rate',
    'egress-rate',
  ]),
  radius,
  'multi-psk': listOf(closed({ key, mac, 'vlan-id': integer(1, 4050) }, ['key']), { min: 1, max: 64 }),
  roaming: closed({ 'message-exchange': oneOf('air'), 'generate-psk': flag }, ['message-exchange', 'generate-psk']),
  rrm: closed({ 'neighbor-reporting': flag }, ['neighbor-reporting']),
  'quality-thresholds': closed({ 'association-request-rssi': rssi, 'client-kick-rssi': rssi }, [
    'association-request-rssi',
    'client-kick-rssi',
  ]),
};
const neededOfSsid = ['name', 'wifi-bands', 'bss-mode', 'encryption'];
const ssid = closed(ssidFields, neededOfSsid);
const gatedSsid = closed(
  { ...ssidFields, radius: gatedRadius, services: listOf(oneOf('captive'), { min: 1, max: 1 }) },
  neededOfSsid,
);

const ethernet = listOf(
  closed(
    { 'select-ports': listOf(oneOf('WAN*', 'LAN*'), { min: 1 }), 'vlan-tag': oneOf('tagged', 'un-tagged', 'auto') },
    ['select-ports'],
  ),
  { min: 1 },
);

const common = {
  name: text(1, 32),
  services: listOf(oneOf('lldp')),
  vlan: closed({ id: integer(1, 4050) }, ['id']),
  ethernet,
};

function interfaces(dhcp: JsonSchema, anySsid: JsonSchema): JsonSchema {
  const ssids = listOf(anySsid, { min: 1, max: 16 });
  const upstream = closed(
    { ...common, ssids, role: { const: 'upstream' }, ipv4: closed({ addressing: oneOf('dynamic') }, ['addressing']) },
    ['name', 'role', 'ethernet'],
  );
  const downstream = closed(
    {
      ...common,
      ssids,
      role: { const: 'downstream' },
      ipv4: closed({ addressing: { const: 'static' }, subnet: cidr4, dhcp }, ['addressing', 'subnet', 'dhcp']),
    },
    ['name', 'role', 'ipv4'],
  );
  // the firmware requires an upstream interface
  return {
    ...listOf({ anyOf: [upstream, downstream] }, { min: 1 }),
    contains: { type: 'object', properties: { role: { const: 'upstream' } }, required: ['role'] },
  };
}

/** `gate`: guests can sign in at the device. */
function wireless(dhcp: JsonSchema, gate: boolean): JsonSchema {
  return closed(
    {
      uuid,
      unit: closed({ name: text(), 'leds-active': flag }, ['name']),
      radios: listOf(radio, { min: 1, max: 4 }),
      interfaces: interfaces(dhcp, gate ? gatedSsid : ssid),
      services: closed({
        lldp: closed({ describe: text() }),
        fingerprint: closed({
          mode: oneOf('polled', 'final', 'raw'),
          'minimum-age': integer(1),
          'maximum-age': integer(1),
          periodicity: integer(1),
        }),
        ...(gate ? { captive } : {}),
      }),
      metrics: closed(
        {
          statistics: closed({ interval: integer(60), types: listOf(oneOf('ssids', 'lldp', 'clients', 'tid-stats')) }, [
            'interval',
            'types',
          ]),
          health: closed({ interval: integer(60) }, ['interval']),
          realtime: closed({ types: listOf(oneOf('client', 'wired', 'health', 'wifi', 'unit', 'ssh')) }, ['types']),
        },
        ['statistics', 'health', 'realtime'],
      ),
    },
    ['unit', 'interfaces', 'metrics'],
  );
}

/** Emitted part of schema 5.1.0. */
export const accessPointSchema = wireless(
  closed({ 'lease-first': integer(1), 'lease-count': integer(1), 'lease-time': leaseTime }, [
    'lease-first',
    'lease-count',
    'lease-time',
  ]),
  true,
);

/** `olg` gateways define pools by address. */
export const gatewaySchema = wireless(
  closed({ 'lease-start': ipv4, 'lease-end': ipv4, 'lease-time': leaseTime }, [
    'lease-start',
    'lease-end',
    'lease-time',
  ]),
  false,
);
