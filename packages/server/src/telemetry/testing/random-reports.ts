import { hour } from '../layers.ts';
import { quiet, type Sample, seeded } from './samples.ts';

export const accounts = ['00000000-0000-7000-8000-00000000000a', '00000000-0000-7000-8000-00000000000b'] as const;
export const networks = ['00000000-0000-0000-0000-000000000000', 1, 2, 3].map((one) =>
  typeof one === 'string' ? one : `00000000-0000-7000-8000-10000000000${one}`,
);
export const start = new Date('2026-11-20T21:52:30Z');
const minute = 60_000;

/** Includes moves, gaps, restarts and missing values. */
export function randomReports(seed: number, hours: number): Sample[] {
  const random = seeded(seed);
  const upTo = (max: number) => Math.floor(random() * (max + 1));
  const maybe = <T>(value: T) => (random() < 0.2 ? null : value);
  const real = (max: number) => Math.fround(random() * max);
  return accounts.flatMap((account_id, account) =>
    Array.from({ length: 3 }, (_, index) => `0200000000${account}${index}`).flatMap((serial) => {
      const samples: Sample[] = [];
      let gwid = networks[upTo(3)]!;
      for (let at = +start + upTo(60_000); at < +start + hours * hour; at += 30_000 + upTo(150_000)) {
        if (random() < 0.01) gwid = networks[upTo(3)]!;
        if (random() < 0.004) at += upTo(90 * minute);
        samples.push({
          ...quiet,
          account_id,
          serial,
          at: new Date(at),
          gwid,
          restarted: random() < 0.02,
          cpu: maybe(real(100)),
          mem: maybe(real(100)),
          util_2g: maybe(real(100)),
          util_5g: maybe(real(100)),
          noise_5g: maybe(-real(100)),
          load1: maybe(real(9)),
          temperature: maybe(real(99)),
          wan_latency: maybe(real(900)),
          wan_loss: maybe(real(100)),
          leases: maybe(upTo(200)),
          wan_down: upTo(1e10),
          wan_up: upTo(1e9),
          house_wan: upTo(1e10),
          down_2g: upTo(1e9),
          up_2g: upTo(1e8),
          down_5g: upTo(1e10),
          up_5g: upTo(1e9),
          down_6g: upTo(10),
          up_6g: upTo(10),
          clients: maybe(upTo(60)),
          clients_2g: maybe(upTo(20)),
          clients_5g: maybe(upTo(40)),
          clients_6g: null,
          weak: upTo(5),
          rssi_sum: -upTo(4000),
          rssi_n: upTo(60),
          rate_sum: upTo(1e7),
          rate_n: upTo(60),
          tx_packets: upTo(1e6),
          tx_retries: upTo(1e4),
          tx_failed: upTo(100),
        });
      }
      return samples;
    }),
  );
}
