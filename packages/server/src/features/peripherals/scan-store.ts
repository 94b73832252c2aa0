import { peripherals } from '@yunxun/contract';
import {
  asCount,
  asList,
  asRecord,
  asText,
  type EdgeScanFinding,
  type EdgeScanHost,
  edgeFindingSources,
  edgeScanLimits,
  normaliseMac,
} from '@yunxun/contract/device';
import { dotted, isPrivate, readAddress } from '@yunxun/contract/ipv4';
import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { peripheralTables, type ScanTable } from './tables.ts';

export interface ScanRef {
  accountId: string;
  gwid: string;
  /** A newer scan of the network replaces the row. */
  id: string;
}

/** Milliseconds; then an open scan is lost, as after a crash. */
const openMs = 10 * 60_000;
const [maxHosts, maxFindings] = [512, 5];

export function findScan(tx: Tx, accountId: string, gwid: string): Promise<ScanTable | undefined> {
  return peripheralTables(tx)
    .selectFrom('peripheral_scan')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .executeTakeFirst();
}

export const isOpen = ({ state, started_at: started }: ScanTable, now: Date): boolean =>
  (state === 'queued' || state === 'running') && now.getTime() - started.getTime() < openMs;

/** Replaces unless another is open. @returns whether it did */
export async function beginScan(tx: Tx, { accountId, gwid, id }: ScanRef, now: Date): Promise<boolean> {
  const lost = new Date(now.getTime() - openMs);
  const { rows } = await sql`
    insert into peripheral_scan as s (account_id, gwid, id, state, started_at)
    values (${accountId}, ${gwid}, ${id}, 'queued', ${now})
    on conflict (account_id, gwid) do update set id = excluded.id, state = 'queued', reason = null,
      started_at = excluded.started_at, finished_at = null, done = 0, total = 0, subnets = '[]', hosts = '[]'
    where s.state not in ('queued', 'running') or s.started_at <= ${lost}
    returning id`.execute(tx);
  return rows.length > 0;
}

/** Changes an open scan. @returns whether it was open */
export async function setScan(
  tx: Tx,
  { accountId, gwid, id }: ScanRef,
  set: Partial<Pick<ScanTable, 'state' | 'reason' | 'finished_at'>> & { progress?: Progress },
): Promise<boolean> {
  const { progress, ...plain } = set;
  const { numUpdatedRows } = await peripheralTables(tx)
    .updateTable('peripheral_scan')
    .set({
      ...plain,
      ...(progress && {
        done: progress.done,
        total: progress.total,
        subnets: sql<string[]>`${JSON.stringify(progress.subnets)}::jsonb`,
        hosts: sql<EdgeScanHost[]>`${JSON.stringify(progress.hosts)}::jsonb`,
      }),
    })
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export interface Progress {
  done: number;
  total: number;
  subnets: string[];
  hosts: EdgeScanHost[];
}

/** Drops hosts outside private networks. */
export function readProgress(scan: unknown): Progress {
  const { done, total, subnets, hosts } = asRecord<Record<keyof Progress, unknown>>(scan);
  return {
    done: Math.min(asCount(done) ?? 0, 1e6),
    total: Math.min(asCount(total) ?? 0, 1e6),
    subnets: asList(subnets)
      .slice(0, 16)
      .flatMap((text) => asText(text, 18) ?? []),
    hosts: asList(hosts)
      .slice(0, maxHosts)
      .flatMap((given): EdgeScanHost[] => {
        const { address, mac, hostname, ports, findings } = asRecord<EdgeScanHost>(given);
        const ip = readAddress(address);
        if (ip === null || !isPrivate(ip)) return [];
        const open = asList(ports).flatMap((port) => asCount(port) ?? []);
        return [
          {
            address: dotted(ip),
            mac: normaliseMac(mac),
            hostname: asText(hostname, 64) || null,
            ports: open.filter((port) => port >= 1 && port <= 65_535).slice(0, 64),
            findings: asList(findings).slice(0, maxFindings).flatMap(readFinding),
          },
        ];
      }),
  };
}

function readFinding(given: unknown): EdgeScanFinding[] {
  const { by, type, name, model } = asRecord<EdgeScanFinding>(given);
  const source = edgeFindingSources.find((one) => one === by);
  if (!source) return [];
  const known = peripherals.peripheralTypes.find((one) => one === type) ?? null;
  return [{ by: source, type: known, name: lineOf(name), model: lineOf(model) }];
}

/** Returns null for control characters. */
function lineOf(given: unknown): string | null {
  const line = asText(given, 2 * edgeScanLimits.text)?.trim();
  return line && !/[\p{C}\u2028\u2029]/u.test(line) ? line : null;
}
