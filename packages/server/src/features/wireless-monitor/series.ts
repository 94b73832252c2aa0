import type { wirelessMonitor as contract, DataOf } from '@yunxun/contract';
import { shareOf } from '../../telemetry/read/air.ts';
import type { Measures } from '../../telemetry/read/index.ts';
import { rounded } from './score.ts';

export const charted = [
  'clients2g',
  'clients5g',
  'clients6g',
  'down2g',
  'up2g',
  'down5g',
  'up5g',
  'down6g',
  'up6g',
  'util2g',
  'util5g',
  'util6g',
  'noise2g',
  'noise5g',
  'noise6g',
  'sightings',
  'weak',
  'txPackets',
  'txRetries',
  'rate',
] as const satisfies readonly (keyof Measures)[];

export type Charted = Pick<Measures, (typeof charted)[number]>;

type Lines = DataOf<typeof contract.wirelessSeries>['current'];

export function linesOf(buckets: readonly (Charted | undefined)[]): Lines {
  const line = (read: (bucket: Charted) => number | null) =>
    buckets.map((bucket) => {
      const value = bucket ? read(bucket) : null;
      return value === null ? null : rounded(value);
    });
  return {
    terminals: {
      '2.4G': line(({ clients2g }) => clients2g),
      '5G': line(({ clients5g }) => clients5g),
      '6G': line(({ clients6g }) => clients6g),
    },
    flow: {
      '2.4G': line(({ down2g, up2g }) => down2g + up2g),
      '5G': line(({ down5g, up5g }) => down5g + up5g),
      '6G': line(({ down6g, up6g }) => down6g + up6g),
    },
    utilization: {
      '2.4G': line(({ util2g }) => util2g),
      '5G': line(({ util5g }) => util5g),
      '6G': line(({ util6g }) => util6g),
    },
    noise: {
      '2.4G': line(({ noise2g }) => noise2g),
      '5G': line(({ noise5g }) => noise5g),
      '6G': line(({ noise6g }) => noise6g),
    },
    weak: line(({ weak, sightings }) => shareOf(weak, sightings)),
    retries: line(({ txRetries, txPackets }) => shareOf(txRetries, txPackets + txRetries)),
    rate: line(({ rate }) => rate),
  };
}
