import { describe, expect, it } from 'vitest';
import { compile } from './index.ts';
import type { RadioSettings } from './intent.ts';
import { powerOf } from './power.ts';
import { effectiveRadio } from './resolve.ts';
import { input, ssid, threeRadios, wifi6 } from './testing/samples.ts';

const radio = (band: RadioSettings['band'], change: Partial<RadioSettings> = {}): RadioSettings => ({
  band,
  enabled: null,
  channel: null,
  width: null,
  mode: null,
  power: null,
  ...change,
});

const five = (change: Partial<RadioSettings>, capabilities = wifi6) => {
  const { document, findings } = compile(input({ radios: [radio('5G', change)] }, { capabilities }));
  return {
    radios: document.radios?.filter(({ band }) => band.startsWith('5G')),
    findings: findings.map(({ code }) => code),
  };
};

const inChina = (capabilities = wifi6) => compile(input({ country: 'CN' }, { capabilities }));

describe('radios', () => {
  it('use the defaults without settings', () => {
    expect(compile(input()).document.radios).toEqual([
      { band: '2G', channel: 'auto', 'channel-mode': 'HE', 'channel-width': 20, enable: true, 'tx-power': 27 },
      { band: '5G', channel: 'auto', 'channel-mode': 'HE', 'channel-width': 80, enable: true, 'tx-power': 27 },
    ]);
  });

  it('take the highest supported generation and width within the request', () => {
    expect(five({ mode: 'EHT', width: 320 })).toMatchObject({
      radios: [{ 'channel-mode': 'HE', 'channel-width': 160 }],
      findings: ['mode_lowered', 'width_lowered'],
    });
    expect(five({ mode: 'VHT', width: 160 })).toMatchObject({
      radios: [{ 'channel-mode': 'VHT', 'channel-width': 80 }],
      findings: ['width_lowered'],
    });
  });

  it('fall short of a default without a word', () => {
    expect(five({}, { wifi: { a: { band: ['5G'], htmode: ['VHT20', 'VHT40'] } } })).toMatchObject({
      radios: [{ 'channel-mode': 'VHT', 'channel-width': 40 }],
      findings: [],
    });
  });

  it('never take 80 MHz on 2.4 GHz, whatever the driver lists', () => {
    const { document } = compile(input({ radios: [radio('2G', { mode: 'VHT', width: 80 })] }));
    expect(document.radios?.[0]).toMatchObject({ 'channel-mode': 'HT', 'channel-width': 40 });
  });

  it.each([
    [36, 80, 36, 80, []],
    [48, 80, 36, 80, ['channel_aligned']],
    [161, 40, 157, 40, ['channel_aligned']],
    [144, 80, 132, 80, ['channel_aligned']],
    [165, 80, 165, 20, ['width_lowered']],
    [149, 160, 149, 80, ['width_lowered']],
    [100, 160, 100, 160, []],
  ] as const)('name a wide 5 GHz channel by its block: %d at %d MHz', (channel, width, block, max, findings) => {
    expect(five({ channel, width })).toMatchObject({ radios: [{ channel: block, 'channel-width': max }], findings });
  });

  it('choose for themselves where they do not have the channel', () => {
    expect(five({ channel: 169 })).toMatchObject({ radios: [{ channel: 'auto' }], findings: ['channel_unsupported'] });
    const { document } = compile(input({ radios: [radio('2G', { channel: 13 })] }));
    expect(document.radios?.[0]?.channel).toBe('auto');
  });

  it('keep off radar channels where the device may not use them', () => {
    const restricted = { ...wifi6, restrictions: { dfs: true } };
    expect(five({ channel: 52, width: 20 }, restricted)).toMatchObject({
      radios: [{ channel: 'auto' }],
      findings: ['dfs_restricted'],
    });
    expect(five({ channel: 36, width: 20 }, restricted)).toMatchObject({ radios: [{ channel: 36 }], findings: [] });
  });

  it('of a device with half of 5 GHz each have entries of their own, and one keeps the fixed channel', () => {
    expect(five({ channel: 149, mode: 'VHT' }, threeRadios)).toMatchObject({
      radios: [
        { band: '5G-lower', channel: 'auto', 'channel-width': 80 },
        { band: '5G-upper', channel: 149, 'channel-width': 80 },
      ],
      findings: [],
    });
    const { document } = compile(input({ ssids: [ssid()] }, { capabilities: threeRadios }));
    expect(document.interfaces[0]?.ssids?.[0]?.['wifi-bands']).toEqual(['2G', '5G']);
  });

  it('are disabled without SSIDs when switched off', () => {
    const { document, findings } = compile(input({ ssids: [ssid()], radios: [radio('5G', { enabled: false })] }));
    expect(document.radios?.[1]).toEqual({ band: '5G', 'channel-mode': 'HT', 'channel-width': 20, enable: false });
    expect(document.interfaces[0]?.ssids?.[0]?.['wifi-bands']).toEqual(['2G']);
    expect(findings.map(({ code }) => code)).toEqual(['radio_off']);
  });

  it('that are off name a mode that their band has, whatever the device says of itself', () => {
    const off = (['2G', '5G', '6G'] as const).map((band) => radio(band, { enabled: false }));
    const silent = { wifi: { a: { band: ['2G'] }, b: { band: ['5G'] }, c: { band: ['6G'] } } };
    expect(compile(input({ radios: off }, { capabilities: silent })).document.radios).toEqual([
      { band: '2G', 'channel-mode': 'HT', 'channel-width': 20, enable: false },
      { band: '5G', 'channel-mode': 'HT', 'channel-width': 20, enable: false },
      { band: '6G', 'channel-mode': 'HE', 'channel-width': 20, enable: false },
    ]);
  });

  it('take their lowest mode if none fits the request', () => {
    expect(five({ mode: 'HT' }, { wifi: { a: { band: ['5G'], htmode: ['HE40', 'HE80'] } } })).toMatchObject({
      radios: [{ 'channel-mode': 'HE', 'channel-width': 40 }],
      findings: ['width_unknown'],
    });
  });

  it('get a country only where the device may have it', () => {
    expect(inChina().document.radios?.[0]?.country).toBe('CN');
    const limited = inChina({ ...wifi6, country_codes: ['US'] });
    expect(limited.document.radios?.[0]).not.toHaveProperty('country');
    expect(limited.findings.map(({ code }) => code)).toEqual(['country_unsupported']);
  });
});

describe('power levels', () => {
  it.each([
    [undefined, [27, 21, 15, 8]],
    [30, [27, 21, 15, 8]],
    [25, [27, 21, 15, 8]],
    [23, [27, 21, 15, 8]],
    [22, [27, 17, 11, 8]],
    [14, [27, 14, 11, 8]],
    [6, [27, 6, 6, 6]],
  ] as const)('follow the ladder of a radio that reaches %s dBm', (caps, ladder) => {
    expect((['max', 'high', 'medium', 'low'] as const).map((level) => powerOf(level, caps))).toEqual(ladder);
  });
});

describe('values in force', () => {
  it('come from the device before the network before the defaults, field by field, and an off that is meant is not a gap', () => {
    const network = { country: null, ssids: [], radios: [radio('5G', { enabled: true, channel: 36, width: 40 })] };
    const override = { radios: [radio('5G', { enabled: false, channel: 149 })], ssids_off: [], lan_address: null };
    expect(effectiveRadio('5G', network, override)).toEqual({
      band: '5G',
      enabled: { value: false, source: 'device' },
      channel: { value: 149, source: 'device' },
      width: { value: 40, source: 'network' },
      mode: { value: 'HE', source: 'default' },
      power: { value: 'max', source: 'default' },
    });
  });
});
