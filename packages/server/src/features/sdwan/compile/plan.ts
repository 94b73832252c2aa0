import type { SdwanMode, SdwanRole } from '@yunxun/contract';
import type { EdgeSdwan, EdgeSdwanFailover } from '@yunxun/contract/device';

export interface PlanNode {
  /** `gwid` of the gateway's network. */
  key: string;
  name: string;
  role: SdwanRole;
  /** The parent's key; empty or `1` for a tree's centre. */
  pid: string;
  level?: number;
  lans: readonly { prefix: string; as?: string }[];
  publicKey: string | null;
  /** Null: behind NAT. */
  host: string | null;
  /** Overlay IPv4 address. */
  address: string;
  /** Among its gateway's networks, 0 … 3: names and ports follow. */
  slot: number;
  /** Mbit/s sent; 0: no limit. */
  mbps: number;
  /** IPv4 addresses of WANs and their gateways. */
  wanAddresses?: readonly string[];
  /** Address from which the console sees the gateway. */
  source?: string | null;
  nameServers?: readonly string[];
  /** Its LANs and static routes by its settings; missing: unknown. */
  localLans?: readonly string[];
  /** Bytes; 1500 when missing. */
  wanMtu?: number;
}

export interface Elsewhere {
  prefix: string;
  owner: string;
  keys: ReadonlySet<string>;
  other: string;
  network: string;
}

export interface Plan {
  id: string;
  /** 1 peer, 2 star, 3 tree. */
  type: 1 | 2 | 3;
  mode: SdwanMode;
  failover: EdgeSdwanFailover;
  nodes: readonly PlanNode[];
  /** IPv4 addresses of the console and its portal. */
  consoles?: readonly string[];
  /** Prefixes that shared nodes (`keys`) reach in other networks. */
  elsewhere?: readonly Elsewhere[];
}

/** A document before its hash is taken. */
export type Draft = Omit<EdgeSdwan, 'revision'>;

export type LinkKind = 'peer' | 'main' | 'bak' | 'hubs' | 'parent';

export interface PlannedLink {
  from: string;
  to: string;
  kind: LinkKind;
}

/** Prefixes under which other sites reach the node. */
export const prefixesOf = (node: PlanNode): string[] => node.lans.map(({ prefix, as }) => as ?? prefix);

export const isRoot = ({ pid }: Pick<PlanNode, 'pid'>): boolean => pid === '' || pid === '1';

export function childrenOf(nodes: readonly PlanNode[]): Map<string, PlanNode[]> {
  const children = new Map<string, PlanNode[]>();
  for (const node of nodes) {
    if (isRoot(node)) continue;
    const own = children.get(node.pid);
    if (own) own.push(node);
    else children.set(node.pid, [node]);
  }
  return children;
}
