import type { Association, StationRate } from '@yunxun/contract/device';
import type { Bss } from '../world/bss.ts';
import type { Station } from '../world/station.ts';

export function associationOf(
  station: Station,
  address: string | null,
  nowMs: number,
  tids: boolean,
): Association | null {
  const { association, person } = station;
  if (association === null) return null;
  const { counters, delta_counters: delta } = association.traffic.report();
  const rate = rateOf(association.rssi, association.bss, person.habit.wifi, person.habit.streams);
  const back = rateOf(association.rssi - 4, association.bss, person.habit.wifi, Math.max(1, person.habit.streams - 1));
  return {
    station: station.mac,
    bssid: association.bss.bssid,
    connected: Math.floor((nowMs - association.sinceMs) / 1000),
    inactive: association.idleSeconds,
    rssi: association.rssi,
    ack_signal: association.rssi - 1,
    ack_signal_avg: association.rssi,
    rx_bytes: counters.rx_bytes ?? 0,
    tx_bytes: counters.tx_bytes ?? 0,
    rx_packets: counters.rx_packets ?? 0,
    tx_packets: counters.tx_packets ?? 0,
    tx_retries: association.retries,
    tx_failed: association.failed,
    rx_duration: Math.round((((counters.rx_bytes ?? 0) * 8) / Math.max(1, back.bitrate ?? 1)) * 1000),
    tx_duration: Math.round((((counters.tx_bytes ?? 0) * 8) / Math.max(1, rate.bitrate ?? 1)) * 1000),
    rx_rate: back,
    tx_rate: rate,
    dynamic_vlan: 0,
    ...(address === null ? {} : { ipaddr_v4: address }),
    fingerprint: person.habit.fingerprint,
    delta_counters: {
      rx_bytes: delta.rx_bytes ?? 0,
      tx_bytes: delta.tx_bytes ?? 0,
      rx_packets: delta.rx_packets ?? 0,
      tx_packets: delta.tx_packets ?? 0,
    },
    ...(tids ? { tid_stats: tidStats(station) } : {}),
  };
}

function tidStats(station: Station): Record<string, number>[] {
  const traffic = station.association?.traffic;
  const none = { rx_msdu: 0, tx_msdu: 0, tx_msdu_failed: 0, tx_msdu_retries: 0 };
  const first = {
    rx_msdu: traffic?.rxPackets ?? 0,
    tx_msdu: traffic?.txPackets ?? 0,
    tx_msdu_failed: station.association?.failed ?? 0,
    tx_msdu_retries: station.association?.retries ?? 0,
  };
  return [first, ...Array.from({ length: 16 }, () => none)];
}

const mcsSignal = [-82, -79, -77, -74, -70, -66, -65, -64, -59, -57, -54, -52];
/** Mbit/s per stream at 20 MHz, by MCS index. */
const mcsRate = [8.6, 17.2, 25.8, 34.4, 51.6, 68.8, 77.4, 86, 103.2, 114.7, 129, 143.4];

/** Returns the modulation for a signal; bit rate in kbit/s. */
function rateOf(rssi: number, bss: Bss, wifi: 'ht' | 'vht' | 'he', streams: number): StationRate {
  const max = { ht: 7, vht: 9, he: 11 }[wifi];
  const reached = mcsSignal.findLastIndex((needed) => rssi >= needed);
  const mcs = Math.max(0, Math.min(max, reached));
  const width = wifi === 'ht' ? Math.min(40, bss.widthMhz) : Math.min(80, bss.widthMhz);
  const bitrate = Math.round((mcsRate[mcs] ?? 8.6) * streams * (width / 20) * 10) * 100;
  return { bitrate, chwidth: width, mcs, nss: streams, [wifi]: true, ...(wifi === 'he' ? {} : { sgi: true }) };
}
