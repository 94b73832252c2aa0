import { expect, it } from 'vitest';
import { clientLink } from './client-link.ts';

const mac = '001122334455';
const reported = (association: object, radio: object = {}) => ({
  radios: [{ band: ['2G'] }, { band: ['5G'], channel: 36, channel_width: 80, noise: -95, ...radio }],
  interfaces: [
    { name: 'down1v0' },
    {
      name: 'up0v0',
      ssids: [
        {
          ssid: 'Hotel',
          radio: { $ref: '#/radios/1' },
          associations: [{ station: '00:11:22:33:44:55', rssi: -61, ...association }],
        },
      ],
    },
  ],
});

it('reads rates, generation, signal above noise, retries and channel of an association', () => {
  const given = {
    tx_rate: { bitrate: 866_700, he: true },
    rx_rate: { bitrate: 6000 },
    tx_packets: 900,
    tx_retries: 100,
  };
  expect(clientLink(reported(given), mac)).toEqual({
    generation: 6,
    down_kbps: 866_700,
    up_kbps: 6000,
    snr_db: 34,
    retry_pct: 10,
    channel: 36,
    width: 80,
  });
});

it.each([
  ['ht', 4],
  ['vht', 5],
  ['he', 6],
  ['eht', 7],
])('tells the generation of %s', (flag, generation) => {
  expect(clientLink(reported({ rx_rate: { bitrate: 1, [flag]: true } }), mac)).toMatchObject({ generation });
});

it('says null for what a report lacks or cannot be', () => {
  const nothing = { generation: null, down_kbps: null, up_kbps: null, snr_db: null, retry_pct: null };
  expect(clientLink(reported({ rssi: 0, tx_rate: { bitrate: -1 } }, { channel: 0, channel_width: 81 }), mac)).toEqual({
    ...nothing,
    channel: null,
    width: null,
  });
  expect(clientLink(reported({}), '00aabbccddee')).toBeUndefined();
  expect(clientLink({ interfaces: 'none' }, mac)).toBeUndefined();
});
