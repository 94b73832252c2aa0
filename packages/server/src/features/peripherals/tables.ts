import type { InputOf, PeripheralType, peripherals, ScanFailure, ScanState } from '@yunxun/contract';
import type { EdgeScanHost } from '@yunxun/contract/device';
import type { Kysely, Selectable } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';

export interface PeripheralTable {
  account_id: string;
  id: string;
  gwid: string;
  name: string;
  type: PeripheralType;
  group: string | null;
  ip: string;
  mac: string | null;
  mode: InputOf<typeof peripherals.create>['mode'];
  detect_port: number | null;
  web_port: number | null;
  shell_port: number | null;
  screen_port: number | null;
  created_at: Date;
  alive: boolean | null;
  since: Date | null;
  rtt_ms: number | null;
  checked_at: Date | null;
}

export type PeripheralRecord = Selectable<PeripheralTable>;

export interface ScanTable {
  account_id: string;
  gwid: string;
  id: string;
  state: ScanState;
  reason: ScanFailure | null;
  started_at: Date;
  finished_at: Date | null;
  done: number;
  total: number;
  subnets: string[];
  hosts: EdgeScanHost[];
}

interface PeripheralTables {
  peripheral: PeripheralTable;
  peripheral_outage: { account_id: string; peripheral_id: string; began_at: Date; ended_at: Date | null };
  peripheral_day: { account_id: string; peripheral_id: string; day: string; online_s: number; offline_s: number };
  peripheral_scan: ScanTable;
  peripheral_power: {
    account_id: string;
    gwid: string;
    enabled: boolean;
    types: PeripheralType[];
    since: Date;
    version: number;
  };
  peripheral_watch: { account_id: string; gwid: string; serial: string };
}

export function peripheralTables(tx: Tx | Kysely<unknown>): Kysely<PeripheralTables> {
  return tables<PeripheralTables>(tx);
}
