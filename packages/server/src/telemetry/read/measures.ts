import type { Measures } from './types.ts';

interface Formula {
  columns: readonly string[];
  expression: string;
}

const sum = (...columns: string[]): Formula => ({
  columns,
  expression: `coalesce(${columns.join(' + ')}, 0)`,
});
const mean = (column: string, per: number, count = `${column}_n`): Formula => ({
  columns: [`${column}_sum`, count],
  expression: `${column}_sum::float8 / ${per} / nullif(${count}, 0)`,
});
const highest = (column: string, per: number): Formula => ({
  columns: [`${column}_max`],
  expression: `${column}_max::float8 / ${per}`,
});

/** Thousandths of clients; hundredths of percent and dBm. */
export const formulas: Readonly<Record<keyof Measures, Formula>> = {
  samples: sum('samples'),
  restarts: sum('restarts'),
  wanDown: sum('wan_down'),
  wanUp: sum('wan_up'),
  networkWan: sum('house_wan'),
  down: sum('down_2g', 'down_5g', 'down_6g'),
  up: sum('up_2g', 'up_5g', 'up_6g'),
  down2g: sum('down_2g'),
  up2g: sum('up_2g'),
  down5g: sum('down_5g'),
  up5g: sum('up_5g'),
  down6g: sum('down_6g'),
  up6g: sum('up_6g'),
  clients: mean('clients', 1000),
  clients2g: mean('clients_2g', 1000, 'clients_n'),
  clients5g: mean('clients_5g', 1000, 'clients_n'),
  clients6g: mean('clients_6g', 1000, 'clients_n'),
  clientsMax: highest('clients', 1000),
  cpu: mean('cpu', 100),
  cpuMax: highest('cpu', 100),
  mem: mean('mem', 100),
  memMax: highest('mem', 100),
  util2g: mean('util_2g', 100),
  util2gMax: highest('util_2g', 100),
  util5g: mean('util_5g', 100),
  util5gMax: highest('util_5g', 100),
  util6g: mean('util_6g', 100),
  util6gMax: highest('util_6g', 100),
  noise2g: mean('noise_2g', 100),
  noise5g: mean('noise_5g', 100),
  noise6g: mean('noise_6g', 100),
  wanLatency: mean('wan_latency', 100),
  wanLoss: mean('wan_loss', 100),
  rssi: mean('rssi', 1),
  sightings: sum('rssi_n'),
  weak: sum('weak_sum'),
  rate: mean('rate', 1),
  txPackets: sum('tx_packets'),
  txRetries: sum('tx_retries'),
  txFailed: sum('tx_failed'),
};

export const allMeasures = Object.keys(formulas) as (keyof Measures)[];
