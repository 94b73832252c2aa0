import type { SdwanMode, SdwanRole, sdwanOrders } from '@yunxun/contract';
import type { EdgeSdwan } from '@yunxun/contract/device';
import type { ColumnType, Generated, Kysely, Selectable } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';

/** Written as JSON text. */
type Json<T> = ColumnType<T, string, string>;

export interface StrategyTable {
  account_id: string;
  id: string;
  name: string;
  probe_ms: number;
  fails: number;
  recovers: number;
  hold_s: number;
  order: 'preferred' | 'latency';
}

export interface NetworkTable {
  account_id: string;
  id: string;
  name: string;
  type: 1 | 2 | 3;
  mode: SdwanMode;
  strategy_id: string | null;
  version: Generated<number>;
  created_at: Date;
  deployed_at: Date | null;
  job_id: string | null;
}

export interface GroupTable {
  account_id: string;
  id: string;
  network_id: string;
  name: string;
  widthband: number;
  foreign_widthband: number;
}

export interface NodeTable {
  account_id: string;
  network_id: string;
  gwid: string;
  role: SdwanRole;
  pid: string;
  position: number;
  widthband: number;
  foreign_widthband: number;
  host: string | null;
  group_id: string | null;
  lans: Json<{ prefix: string; as?: string }[]>;
  address: number;
  slot: number;
  document: ColumnType<EdgeSdwan | null, string | null, string | null>;
}

export interface OrderTable {
  account_id: string;
  order_no: string;
  id: string;
  kind: (typeof sdwanOrders.sdwanOrderKinds)[number];
  package_id: string | null;
  name: string;
  nodes: number;
  widthband: number;
  foreign_widthband: number;
  months: number;
  amount_fen: number;
  status: sdwanOrders.SdwanOrderState;
  created_at: Date;
  completed_at: Date | null;
  valid_from: Date | null;
  valid_until: Date | null;
  closed_at: Date | null;
  billing_order_no: string | null;
  warned_days: number | null;
  refunded_until: ColumnType<Date | null, never, null>;
}

export type NetworkRow = Selectable<NetworkTable>;
export type NodeRow = Selectable<NodeTable>;
export type GroupRow = Selectable<GroupTable>;
export type StrategyRow = Selectable<StrategyTable>;
export type OrderRow = Selectable<OrderTable>;

interface SdwanTables {
  sdwan_network: NetworkTable;
  sdwan_node: NodeTable;
  sdwan_group: GroupTable;
  sdwan_strategy: StrategyTable;
  sdwan_order: OrderTable;
}

export function sdwanTables(tx: Tx | Kysely<unknown>): Kysely<SdwanTables> {
  return tables<SdwanTables>(tx);
}
