import { configuration, switches } from '@yunxun/contract';
import type { Capabilities } from '@yunxun/contract/device';
import fc from 'fast-check';
import type {
  CompileInput,
  DeviceFacts,
  DeviceOverride,
  PortFacts,
  RadioSettings,
  Ssid,
  WirelessIntent,
} from '../intent.ts';
import { guestGate } from './samples.ts';

const {
  bands,
  configurationLimits,
  enterpriseSecurities,
  keyedSecurities,
  multiKeySecurities,
  powerLevels,
  radioModes,
  radioWidths,
  securities,
} = configuration;
const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const channels = {
  '2G': [1, 6, 11, 13],
  '5G': [36, 40, 44, 52, 64, 100, 108, 140, 144, 149, 157, 165],
  '6G': [1, 5, 37, 93, 233],
};

const ssidName = fc.oneof(
  fc.string({
    unit: fc.constantFrom(...letters, ' ', '-', '_', '!', '@', '#', '^', '(', ')', '*'),
    minLength: 1,
    maxLength: 32,
  }),
  fc.string({ unit: fc.constantFrom('咖', '啡', '馆', '访', '客'), minLength: 1, maxLength: 10 }),
);
const wifiKey = fc
  .string({ unit: fc.constantFrom(...letters), minLength: 5, maxLength: 50 })
  .map((text) => `=K${text}K=`);
const range = ({ min, max }: { min: number; max: number }) => fc.integer({ min, max });

const server = fc.record({
  host: fc.constantFrom('10.0.0.5', 'radius.example.org'),
  port: range(configurationLimits.radiusPort),
  secret: wifiKey,
});
const radius = fc.record({ auth: server, acct: fc.option(server) });
const ssidKey = fc.record({
  id: fc.uuid(),
  label: fc.constantFrom('Room-101', '摄像头'),
  key: wifiKey,
  mac: fc.option(fc.constantFrom('02:00:00:00:00:0b')),
  vlan: fc.option(range(configurationLimits.vlan)),
});

const ssid: fc.Arbitrary<Ssid> = fc
  .record({
    id: fc.uuid(),
    enabled: fc.boolean(),
    name: ssidName,
    security: fc.constantFrom(...securities),
    key: wifiKey,
    bands: fc.subarray([...bands], { minLength: 1 }),
    vlan: fc.option(range(configurationLimits.vlan)),
    hidden: fc.boolean(),
    isolate: fc.boolean(),
    maximum_clients: fc.option(range(configurationLimits.maximumClients)),
    down_mbps: fc.option(range(configurationLimits.rateMbps)),
    up_mbps: fc.option(range(configurationLimits.rateMbps)),
  })
  .chain((value) => {
    const key = keyedSecurities.includes(value.security) ? value.key : null;
    return fc
      .record(
        {
          ...(enterpriseSecurities.includes(value.security) && { radius }),
          ...(multiKeySecurities.includes(value.security) && {
            keys: fc.array(ssidKey, { minLength: 1, maxLength: 3 }),
          }),
        },
        { requiredKeys: enterpriseSecurities.includes(value.security) ? ['radius'] : [] },
      )
      .map((more): Ssid => ({ ...value, ...more, key }));
  });

const radios: fc.Arbitrary<RadioSettings[]> = fc.subarray([...bands]).chain((chosen) =>
  fc.tuple(
    ...chosen.map((band) =>
      fc.record({
        band: fc.constant(band),
        enabled: fc.option(fc.boolean()),
        channel: fc.option(fc.constantFrom<number | 'auto'>('auto', ...channels[band])),
        width: fc.option(fc.constantFrom(...radioWidths)),
        mode: fc.option(fc.constantFrom(...radioModes)),
        power: fc.option(fc.constantFrom(...powerLevels)),
      }),
    ),
  ),
);

export const anyIntent: fc.Arbitrary<WirelessIntent> = fc.record({
  country: fc.option(fc.constantFrom('CN', 'US', 'DE')),
  ssids: fc.uniqueArray(ssid, { maxLength: configurationLimits.ssidsPerNetwork, selector: ({ name }) => name }),
  radios,
});

const radio = fc.constantFrom(...bands).chain((band) =>
  fc.record({
    band: fc.constant([band]),
    channels: fc.subarray(channels[band]),
    dfs_channels: fc.subarray([52, 64, 100, 140]),
    htmode: fc.subarray([
      'NOHT',
      'HT20',
      'HT40',
      'VHT20',
      'VHT40',
      'VHT80',
      'VHT160',
      'HE20',
      'HE40',
      'HE80',
      'HE80+80',
      'HE160',
      'EHT320',
    ]),
  }),
);

export const anyCapabilities: fc.Arbitrary<Capabilities | null> = fc.oneof(
  { arbitrary: fc.constant(null), weight: 1 },
  {
    arbitrary: fc
      .object({ key: fc.constantFrom('wifi', 'network', 'platform', 'version', 'lan', 'band', 'a') })
      .map((value) => value as Capabilities),
    weight: 2,
  },
  {
    arbitrary: fc.record(
      {
        platform: fc.constantFrom('ap', 'switch', 'olg', 'unknown'),
        compress_cmd: fc.boolean(),
        network: fc.record({
          wan: fc.constant(['eth0']),
          lan: fc.constantFrom([], ['eth1'], ['eth1', 'eth2'], ['eth1:1', 'eth1:2']),
        }),
        version: fc.record({ schema: fc.record({ major: fc.integer({ min: 1, max: 7 }) }) }),
        wifi: fc.dictionary(fc.constantFrom('soc/a', 'soc/b', 'soc/c', 'soc/d'), radio),
        country_codes: fc.constantFrom([], ['CN', 'US']),
        restrictions: fc.record({ dfs: fc.boolean(), country: fc.constantFrom([], ['US']) }, { requiredKeys: [] }),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<Capabilities>,
    weight: 6,
  },
);

const portName = fc.integer({ min: 0, max: 52 }).map((number) => `Ethernet${number}`);
const vlan = fc.integer({ min: 1, max: 4094 });
const speed = fc.option(fc.constantFrom(...switches.portSpeeds));

const anyPorts: fc.Arbitrary<PortFacts[]> = fc.uniqueArray(
  fc.record({
    name: portName,
    speed,
    top_speed: speed,
    poe: fc.boolean(),
    uplink: fc.boolean(),
    duplex: fc.constantFrom('half', 'full', null),
  }),
  { minLength: 1, maxLength: 12, selector: ({ name }) => name },
);

const anyPortSettings: fc.Arbitrary<switches.PortSettings[]> = fc.uniqueArray(
  fc.record({
    port: portName,
    label: fc.constant(''),
    enabled: fc.boolean(),
    poe: fc.boolean(),
    vlan,
    speed,
    tagged: fc.option(fc.uniqueArray(vlan, { maxLength: 3 })),
  }),
  { maxLength: 6, selector: ({ port }) => port },
);

const portNumber = fc.integer({ min: 0, max: 60 });
const portRange = fc
  .array(fc.tuple(portNumber, fc.integer({ min: 0, max: 20 })), { minLength: 1, maxLength: 3 })
  .map((runs) => runs.map(([from, more]) => (more === 0 ? `${from}` : `${from}-${from + more}`)).join());

export const anyPortRules: fc.Arbitrary<switches.PortRule[]> = fc.array(
  fc
    .record({
      ports: portRange,
      enabled: fc.boolean(),
      poe: fc.boolean(),
      vlan: fc.oneof(fc.constant(1), vlan),
      tagged: fc.option(fc.uniqueArray(vlan, { maxLength: 3 })),
    })
    .map((rule) => ({ ...rule, tagged: rule.tagged?.filter((id) => id !== rule.vlan) ?? null })),
  { minLength: 1, maxLength: 4 },
);

export const anyInput: fc.Arbitrary<CompileInput & { override: DeviceOverride }> = anyIntent.chain((network) =>
  fc.record({
    device: fc.record({
      serial: fc.constant('903cb3000001'),
      name: fc.constantFrom('Lobby-1', '大堂'),
      kind: fc.constantFrom('ap', 'gateway', 'switch') as fc.Arbitrary<DeviceFacts['kind']>,
      routes: fc.boolean(),
      capabilities: anyCapabilities,
      reach: fc.record(
        { '2G': fc.integer({ min: 10, max: 30 }), '5G': fc.integer({ min: 10, max: 30 }) },
        { requiredKeys: [] },
      ),
      ports: anyPorts,
    }) as fc.Arbitrary<DeviceFacts>,
    network: fc.constant(network),
    blocked: fc.uniqueArray(fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 12, maxLength: 12 }), {
      maxLength: 5,
    }),
    general: fc.record({
      leds: fc.option(fc.boolean()),
      fast_roaming: fc.option(fc.boolean()),
      neighbour_reports: fc.option(fc.boolean()),
      minimum_rssi: fc.option(fc.constantFrom(0, -95, -70, -50)),
      ports: fc.option(anyPortRules),
    }),
    gate: fc.option(fc.subarray(network.ssids.map(({ id }) => id)).map(guestGate)),
    override: fc.record({
      radios,
      ssids_off: fc.subarray(network.ssids.map(({ id }) => id)),
      lan_address: fc.option(
        fc.constantFrom('192.168.1.1/24', '10.0.0.1/16', '10.112.5.1/24', '172.16.8.9/28', 'nonsense'),
      ),
      ports: anyPortSettings,
    }) as fc.Arbitrary<DeviceOverride>,
  }),
);
