import { setTimeout as delay } from 'node:timers/promises';
import type { peripheralScan as contract, DataOf, ScanFailure, ScanState, UnprobedReason } from '@yunxun/contract';
import {
  asRecord,
  asText,
  type EdgeScanParams,
  type EdgeScanResult,
  type EdgeToolResult,
  edgeToolMethod,
} from '@yunxun/contract/device';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, newId, type Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { makers } from '../../platform/mac-makers.ts';
import { type DeviceCommands, DeviceError, DeviceOffline, DeviceTimeout } from '../../uplink/index.ts';
import { fleetGateways, fleetNetworks, type ProbingGateway } from '../fleet/index.ts';
import type { JobRunner, Jobs, Outcome } from '../jobs/index.ts';
import { record } from '../logs/index.ts';
import { guessType } from './guess.ts';
import { beginScan, findScan, isOpen, readProgress, type ScanRef, setScan } from './scan-store.ts';
import { peripheralTables } from './tables.ts';

export interface ScanDeps {
  database: Database;
  clock: Clock;
  devices: Pick<DeviceCommands, 'call'>;
  jobs: Pick<Jobs, 'create' | 'register'>;
}

const jobType = 'peripheral_scan';
const commandMs = 15_000;
/** Milliseconds between reads, and reads: about four minutes. */
const [everyMs, maxReads] = [1000, 240];

/** Runs a job; the gateway reports progress. */
export function createScans({ database, clock, devices, jobs }: ScanDeps) {
  const run: JobRunner = async ({ account_id: accountId, gwid, serial, detail }) => {
    const id = asText(asRecord<{ scan: unknown }>(detail).scan, 64);
    if (!gwid || !serial || !id) return { status: 'cancelled', reason: 'job.unbound' };
    const ref = { accountId, gwid, id };
    const end = async (state: ScanState, reason: ScanFailure | null, outcome: Outcome): Promise<Outcome> => {
      await database.withSystem((tx) => setScan(tx, ref, { state, reason, finished_at: clock.now() }));
      return outcome;
    };
    try {
      return await follow(ref, serial, end);
    } catch (error) {
      if (error instanceof DeviceOffline)
        return end('failed', 'gateway_offline', { status: 'skipped', reason: 'job.skipped_offline' });
      if (error instanceof DeviceTimeout) return end('failed', 'silent', { status: 'failed', reason: 'job.silent' });
      if (error instanceof DeviceError)
        return end('failed', 'refused', { status: 'failed', reason: error.message.slice(0, 200) || 'job.refused' });
      throw error;
    }
  };
  jobs.register(jobType, run);

  async function follow(
    ref: ScanRef,
    serial: string,
    end: (state: ScanState, reason: ScanFailure | null, outcome: Outcome) => Promise<Outcome>,
  ): Promise<Outcome> {
    const ask = async (act: EdgeScanParams['act']) => {
      const params = { tool: 'scan', act, id: ref.id } as const;
      const { status } = await devices.call({ accountId: ref.accountId, serial }, edgeToolMethod, params, {
        timeoutMs: commandMs,
      });
      const { error, text, tool } = asRecord<{ error: unknown; text: unknown; tool: unknown }>(status);
      const scan = asRecord<EdgeScanResult>(asRecord<EdgeToolResult>(tool).scan);
      return { isDone: error === 0, text: asText(text, 200) ?? '', scan };
    };
    const refuse = (text: string) => end('failed', 'refused', { status: 'failed', reason: text || 'job.refused' });
    const started = await ask('start');
    if (!started.isDone) return refuse(started.text);
    for (let reads = 0; reads < maxReads; reads += 1) {
      const { isDone, text, scan } = await ask('read');
      if (!isDone) return refuse(text);
      if (scan.id !== ref.id) return end('failed', 'lost', { status: 'failed', reason: 'job.silent' });
      const progress = readProgress(scan);
      const isWanted = await database.withSystem((tx) => setScan(tx, ref, { state: 'running', progress }));
      if (!isWanted) {
        await ask('stop');
        return { status: 'cancelled' };
      }
      if (scan.state !== 'running') return end('done', null, { status: 'succeeded' });
      await delay(everyMs);
    }
    await ask('stop');
    return end('failed', 'too_long', { status: 'failed', reason: 'job.silent' });
  }

  return {
    /** @throws Failure deviceOffline, unsupported, limitReached */
    async start(tx: Tx, acting: Acting, gwid: string): Promise<DataOf<typeof contract.scan>> {
      const { accountId } = acting;
      const gateway = ableGateway((await fleetGateways.probing(tx, [gwid])).get(gwid), 'scan');
      const id = newId(clock.now().getTime());
      if (!(await beginScan(tx, { accountId, gwid, id }, clock.now())))
        throw new Failure('limitReached', { params: { limit: 1, used: 1 } });
      const name = (await fleetNetworks.names(tx, accountId, [gwid])).get(gwid) ?? '';
      const items = [{ serial: gateway.serial, gwid, name, detail: { scan: id } }];
      const jobId = await jobs.create(tx, acting, { type: jobType, items });
      await record(tx, acting, {
        action: 'peripheral.scan',
        object: { type: 'network', id: gwid, name },
        gwid,
        command: true,
        jobId,
      });
      return { job_id: jobId };
    },

    /** @throws Failure notFound if none runs */
    async cancel(tx: Tx, acting: Acting, gwid: string): Promise<void> {
      const { accountId } = acting;
      const row = await findScan(tx, accountId, gwid);
      const ended = { state: 'cancelled', finished_at: clock.now() } as const;
      if (!row || !(await setScan(tx, { accountId, gwid, id: row.id }, ended))) throw new Failure('notFound');
      const name = (await fleetNetworks.names(tx, accountId, [gwid])).get(gwid) ?? '';
      await record(tx, acting, {
        action: 'peripheral.scan_cancel',
        object: { type: 'network', id: gwid, name },
        gwid,
      });
    },

    async detail(tx: Tx, accountId: string, gwid: string): Promise<DataOf<typeof contract.scanDetail>> {
      const unable = unableReason((await fleetGateways.probing(tx, [gwid])).get(gwid), 'scan');
      const row = await findScan(tx, accountId, gwid);
      if (!row) return { unable, scan: null };
      const isLost = (row.state === 'queued' || row.state === 'running') && !isOpen(row, clock.now());
      const vendors = await makers();
      const names = await namesByAddress(tx, accountId, gwid);
      const hosts = row.hosts.map((host) => {
        const { address: ip, mac, hostname, ports } = host;
        const vendor = mac === null ? null : vendors.of(mac);
        const known = names.get(ip) ?? null;
        return { ip, mac, vendor, hostname, ports: [...ports], ...guessType(host, vendor), known };
      });
      return {
        unable,
        scan: {
          state: isLost ? 'failed' : row.state,
          reason: isLost ? 'lost' : row.reason,
          started_at: row.started_at.toISOString(),
          finished_at: row.finished_at?.toISOString() ?? null,
          done: row.done,
          total: row.total,
          subnets: row.subnets,
          hosts,
        },
      };
    },
  };
}

type LanTool = 'scan' | 'wake' | 'snapshot';

function unableReason(gateway: ProbingGateway | undefined, tool: LanTool): UnprobedReason | null {
  if (!gateway) return 'no_gateway';
  if (!gateway.lanTools.has(tool)) return 'unsupported';
  return gateway.online ? null : 'gateway_offline';
}

/** @throws Failure deviceOffline, unsupported */
export function ableGateway(gateway: ProbingGateway | undefined, tool: LanTool): ProbingGateway {
  const reason = unableReason(gateway, tool);
  if (reason === 'gateway_offline')
    throw new Failure('deviceOffline', { data: { queue_allowed: false }, params: { action: 'command' } });
  if (!gateway || reason) throw new Failure('unsupported', { data: { reason } });
  return gateway;
}

async function namesByAddress(tx: Tx, accountId: string, gwid: string): Promise<ReadonlyMap<string, string>> {
  const rows = await peripheralTables(tx)
    .selectFrom('peripheral')
    .select(['name'])
    .select((select) => select.fn<string>('host', ['ip']).as('ip'))
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .execute();
  return new Map(rows.map(({ ip, name }) => [ip, name]));
}
