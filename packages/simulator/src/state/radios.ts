import type { StateRadio } from '@yunxun/contract/device';
import { frequencyOf } from '../box/hardware.ts';
import type { RunningRadio } from '../box/running.ts';
import type { Random } from '../world/random.ts';

export function radioOf(radio: RunningRadio, stations: number, uptimeMs: number, random: Random): StateRadio {
  const { hardware, channel, widthMhz } = radio;
  const utilisation = Math.min(92, Math.round(4 + stations * 1.3 + random.between(0, hardware.band === '2G' ? 16 : 5)));
  const channels = spanned(channel, widthMhz, hardware.band);
  const busy = Math.round((uptimeMs * utilisation) / 100);
  return {
    channel,
    channels,
    frequency: [frequencyOf(hardware.band, channel)],
    channel_width: widthMhz,
    tx_power: radio.txPower,
    phy: hardware.path,
    band: [hardware.band],
    temperature: 48 + random.whole(0, 9),
    chanUtil: utilisation,
    survey: hardware.channels.map((entry) => {
      const used = channels.includes(entry);
      const time = used ? uptimeMs : 100 + random.whole(0, 60);
      return {
        frequency: frequencyOf(hardware.band, entry),
        noise: -random.whole(hardware.band === '2G' ? 95 : 101, 107),
        busy: used ? busy : random.whole(1, 40),
        time,
        time_rx: used ? Math.round(busy * 0.4) : random.whole(0, 20),
        time_tx: used ? Math.round(busy * 0.3) : 0,
      };
    }),
  };
}

function spanned(channel: number, widthMhz: number, band: string): number[] {
  if (band === '2G' || widthMhz <= 20) return [channel];
  const group = widthMhz / 20;
  const base = band === '6G' ? 1 : channel >= 149 ? 149 : 36;
  const first = channel - (((channel - base) / 4) % group) * 4;
  return Array.from({ length: group }, (_none, index) => first + index * 4);
}
