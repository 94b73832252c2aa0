import { bootOf } from './boot.ts';
import type { Bytes, Presence } from './client-session.ts';
import type { CommittedReport, Flow, Pair, Pairs } from './counted-report.ts';
import type { Counter } from './counter.ts';
import { noFlow } from './flow.ts';

/** Rx and tx: values, alternative baselines, last steps; band; arrivals. Older rows end earlier. */
type PairJson = (number | null)[];
type PairsJson = Record<string, PairJson> | null;

interface OtherwiseJson {
  boot: number;
  at: number;
  interval: number;
  boot_at: number | null;
  wan: PairsJson;
  bss: PairsJson;
  /** Down and up of WAN, 2.4, 5 and 6 GHz. */
  flow: number[];
  restarted: boolean | null;
}

export interface CountersJson {
  wan: PairsJson;
  bss: PairsJson;
  /** Milliseconds; missing in older rows. */
  boot_at?: number | null;
  interval?: number;
  offset?: [value: number, isDoubtful: boolean];
  otherwise?: OtherwiseJson;
  wired?: Record<string, [number | null, number | null]>;
}

const bands = [2, 5, 6] as const;

export function countersJson(
  { wan, bss, interval, bootAt, offset, otherwise }: CommittedReport,
  wired: Presence['wired'],
): string {
  const json: CountersJson = { wan: pairsJson(wan), bss: pairsJson(bss), boot_at: bootAt, interval };
  if (offset) json.offset = [offset.value, offset.isDoubtful];
  if (otherwise) {
    const { boot, position, revision } = otherwise;
    json.otherwise = {
      boot,
      at: position.at,
      interval: position.interval,
      boot_at: position.bootAt,
      wan: pairsJson(position.wan),
      bss: pairsJson(position.bss),
      flow: numbersOf(revision.flow),
      restarted: revision.restarted,
    };
  }
  if (wired) json.wired = Object.fromEntries([...wired].map(([mac, { rx, tx }]) => [mac, [rx, tx]]));
  return JSON.stringify(json);
}

export function countersOf(
  json: CountersJson,
  { at, uptimeS }: { at: number; uptimeS: number | null },
): Pick<CommittedReport, 'wan' | 'bss' | 'interval' | 'bootAt' | 'offset' | 'otherwise'> & {
  wired: Presence['wired'];
} {
  const { wan, bss, offset, otherwise, wired } = json;
  return {
    wan: pairsOf(wan, at),
    bss: pairsOf(bss, at),
    interval: json.interval ?? 0,
    offset: offset ? { value: offset[0], isDoubtful: offset[1] } : null,
    bootAt: json.boot_at === undefined ? bootOf({ at, uptimeS }) : json.boot_at,
    otherwise: otherwise
      ? {
          boot: otherwise.boot,
          position: {
            at: otherwise.at,
            interval: otherwise.interval,
            bootAt: otherwise.boot_at,
            wan: pairsOf(otherwise.wan, otherwise.at),
            bss: pairsOf(otherwise.bss, otherwise.at),
          },
          revision: { at, flow: flowOf(otherwise.flow), restarted: otherwise.restarted },
        }
      : null,
    wired: wired ? new Map(Object.entries(wired).map(([mac, [rx, tx]]): [string, Bytes] => [mac, { rx, tx }])) : null,
  };
}

function pairsJson(pairs: Pairs | null): PairsJson {
  return pairs && Object.fromEntries([...pairs].map(([name, pair]) => [name, pairJson(pair)]));
}

const pairJson = ({ rx, tx, band }: Pair): PairJson => [
  rx.value,
  tx.value,
  rx.other,
  tx.other,
  rx.counted,
  tx.counted,
  band,
  rx.countedAt,
  tx.countedAt,
];

function pairsOf(json: PairsJson, at: number): Pairs | null {
  return (
    json &&
    new Map(
      Object.entries(json).map(([name, [rx, tx, otherRx, otherTx, countedRx, countedTx, band, rxAt, txAt]]) => [
        name,
        {
          rx: counterOf(rx, otherRx, countedRx, rxAt ?? at),
          tx: counterOf(tx, otherTx, countedTx, txAt ?? at),
          band: (band ?? 0) as Pair['band'],
        },
      ]),
    )
  );
}

const counterOf = (
  value: number | null = null,
  other: number | null = null,
  counted: number | null = 0,
  countedAt: number,
): Counter => ({ value, other, counted: counted ?? 0, countedAt });

const numbersOf = ({ wanDown, wanUp, down, up }: Flow): number[] => [
  wanDown,
  wanUp,
  ...bands.flatMap((band) => [down[band], up[band]]),
];

function flowOf([wanDown = 0, wanUp = 0, ...air]: readonly number[]): Flow {
  const flow = { ...noFlow(), wanDown, wanUp };
  for (const [at, band] of bands.entries()) {
    flow.down[band] = air[2 * at] ?? 0;
    flow.up[band] = air[2 * at + 1] ?? 0;
  }
  return flow;
}
