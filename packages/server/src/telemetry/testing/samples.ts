import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';

export interface Sample {
  account_id: string;
  serial: string;
  at: Date;
  gwid: string;
  restarted: boolean;
  cpu: number | null;
  mem: number | null;
  load1: number | null;
  temperature: number | null;
  wan_latency: number | null;
  wan_loss: number | null;
  leases: number | null;
  wan_down: number;
  wan_up: number;
  house_wan: number;
  down_2g: number;
  up_2g: number;
  down_5g: number;
  up_5g: number;
  down_6g: number;
  up_6g: number;
  clients: number | null;
  clients_2g: number | null;
  clients_5g: number | null;
  clients_6g: number | null;
  util_2g: number | null;
  util_5g: number | null;
  util_6g: number | null;
  noise_2g: number | null;
  noise_5g: number | null;
  noise_6g: number | null;
  weak: number;
  rssi_sum: number;
  rssi_n: number;
  rate_sum: number;
  rate_n: number;
  tx_packets: number;
  tx_retries: number;
  tx_failed: number;
}

export const quiet: Omit<Sample, 'account_id' | 'serial' | 'at' | 'gwid'> = {
  restarted: false,
  cpu: null,
  mem: null,
  wan_down: 0,
  wan_up: 0,
  house_wan: 0,
  load1: null,
  temperature: null,
  wan_latency: null,
  wan_loss: null,
  leases: null,
  down_2g: 0,
  up_2g: 0,
  down_5g: 0,
  up_5g: 0,
  down_6g: 0,
  up_6g: 0,
  clients: null,
  clients_2g: null,
  clients_5g: null,
  clients_6g: null,
  util_2g: null,
  util_5g: null,
  util_6g: null,
  noise_2g: null,
  noise_5g: null,
  noise_6g: null,
  weak: 0,
  rssi_sum: 0,
  rssi_n: 0,
  rate_sum: 0,
  rate_n: 0,
  tx_packets: 0,
  tx_retries: 0,
  tx_failed: 0,
};

export async function insertSamples(database: Pick<Database, 'system'>, samples: readonly Sample[]): Promise<void> {
  if (samples.length === 0) return;
  const columns = Object.keys({ ...quiet, account_id: 0, serial: 0, at: 0, gwid: 0 });
  await sql`
    insert into device_sample (${sql.raw(columns.join(', '))})
    select ${sql.raw(columns.join(', '))} from jsonb_populate_recordset(null::device_sample, ${JSON.stringify(samples)}::jsonb)
  `.execute(database.system);
}

/** Returns reproducible numbers in [0, 1). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
