import { describe, expect, it } from 'vitest';
import { powersIn } from '../../telemetry/extract/digest.ts';
import type { UcentralDocument } from './compile/index.ts';
import { reportedTxPowerCaps } from './tx-power-caps.ts';

const document = (radios: UcentralDocument['radios']): UcentralDocument =>
  ({ unit: {}, interfaces: [], metrics: {}, radios }) as UcentralDocument;
const state = (...radios: object[]) => ({ radios });

describe('the power in a report', () => {
  it('is read by band, however the firmware names bands, and never of a radio that does not send', () => {
    const powers = powersIn(
      state(
        { band: '2G', tx_power: 17 },
        { band: ['5G-lower'], tx_power: 20.5 },
        { band: ['6G'], tx_power: 0 },
        { tx_power: 9 },
      ),
    );
    expect([...powers]).toEqual([
      ['2G', 17],
      ['5G-lower', 20],
    ]);
  });

  it.each([undefined, null, 'x', { radios: 'x' }, { radios: [null, 1, { tx_power: '20', band: 5 }] }])(
    'is none in %j',
    (broken) => {
      expect(powersIn(broken).size).toBe(0);
    },
  );
});

describe('the reach', () => {
  it('is what a radio shows that is asked for the most, and nothing at a lower level', () => {
    const powers = powersIn(state({ band: ['2G'], tx_power: 18 }, { band: ['5G'], tx_power: 15 }));
    const running = document([
      { band: '2G', 'tx-power': 27 },
      { band: '5G', 'tx-power': 15 },
    ]);
    expect(reportedTxPowerCaps(powers, running)).toEqual({ '2G': 18 });
    expect(reportedTxPowerCaps(powers, document(undefined))).toEqual({});
  });

  it('of two radios of a band is that of the stronger', () => {
    const powers = powersIn(state({ band: ['5G-lower'], tx_power: 17 }, { band: ['5G-upper'], tx_power: 23 }));
    const halves = document([
      { band: '5G-lower', 'tx-power': 27 },
      { band: '5G-upper', 'tx-power': 27 },
    ]);
    expect(reportedTxPowerCaps(powers, halves)).toEqual({ '5G': 23 });
    expect(reportedTxPowerCaps(powers, document([{ band: '5G', 'tx-power': 27 }]))).toEqual({ '5G': 23 });
  });
});
