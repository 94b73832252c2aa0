import { createHash, timingSafeEqual } from 'node:crypto';
import { type fleetTools as contract, type DataOf, fleetTools } from '@yunxun/contract';
import type { Acting } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, newId, type Tx } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import type { SpeedWay } from '../../../platform/http/speed-test.ts';
import type { Upload } from '../../../platform/http/upload.ts';
import type { Jobs } from '../../jobs/index.ts';
import { record } from '../../logs/index.ts';
import { capabilitiesOf, type DeviceRecord, devicesBySerial, devicesOf, networksById } from '../device-store.ts';
import {
  type Asked,
  argumentsOf,
  gateOf,
  offeredTools,
  ownToolsOf,
  type ToolArguments,
  type ToolName,
  uplinksOf,
} from './catalogue.ts';
import type { HopProbe } from './results.ts';
import { claimSpeedWay, countRuns, findRun, insertRun, keepFile, listRuns, type ShownRun } from './store.ts';

type Detail = DataOf<typeof contract.toolDetail>;
type Row = DataOf<typeof contract.toolList>['list'][number];

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function createTools({
  database,
  clock,
  jobs,
}: {
  database: Database;
  clock: Clock;
  jobs: Pick<Jobs, 'create' | 'wake'>;
}) {
  async function begin(
    tx: Tx,
    acting: Acting,
    tool: ToolName,
    args: ToolArguments,
    devices: readonly Pick<DeviceRecord, 'serial' | 'gwid' | 'remark'>[],
  ): Promise<{ jobId: string; ids: string[] }> {
    const at = clock.now();
    const uses = devices.map((device) => ({ device, id: newId(at.getTime()) }));
    const items = uses.map(({ device: { serial, gwid, remark }, id }) => {
      return { serial, gwid, name: remark || serial, detail: { run: id } };
    });
    const jobId = await jobs.create(tx, acting, { type: 'tool', params: { tool }, items });
    for (const { device, id } of uses) {
      await insertRun(tx, {
        account_id: acting.accountId,
        id,
        serial: device.serial,
        tool,
        arguments: args,
        job_id: jobId,
        operator: acting.actor?.name ?? acting.source,
        created_at: at,
      });
    }
    return { jobId, ids: uses.map(({ id }) => id) };
  }

  /** Bounds tests, which can saturate the console. @throws Failure limitReached */
  async function refuseMoreTests(tx: Tx, accountId: string): Promise<void> {
    const limit = fleetTools.toolLimits.speedTestsPerHour;
    const used = await countRuns(tx, accountId, 'speed', new Date(clock.now().getTime() - 3_600_000));
    if (used >= limit) throw new Failure('limitReached', { data: { limit, used }, params: { limit, used } });
  }

  return {
    /** @throws Failure deviceOffline if no access point is online */
    async scanNetwork(tx: Tx, acting: Acting, gwid: string): Promise<{ job_id: string }> {
      const devices = (await devicesOf(tx, acting.accountId, [gwid])).filter(
        (device) => device.kind === 'ap' && device.online && gateOf('wifiscan', device) === null,
      );
      if (devices.length === 0) {
        throw new Failure('deviceOffline', { data: { queue_allowed: false }, params: { action: 'command' } });
      }
      const { jobId } = await begin(tx, acting, 'wifiscan', {}, devices);
      const [network] = await networksById(tx, acting.accountId, [gwid]);
      await record(tx, acting, {
        action: 'network.scan',
        object: { type: 'network', id: gwid, name: network?.remark ?? '' },
        gwid,
        after: { devices: devices.length },
        command: true,
        jobId,
      });
      return { job_id: jobId };
    },

    /**
     * @param path pings from an own address inside `sources`, or connects to a TCP port; `hops` probe meanwhile
     * @throws Failure deviceOffline; unsupported; Invalid
     */
    async run(
      tx: Tx,
      acting: Acting,
      { serial, ...asked }: Asked & { serial: string },
      { hops, ...path }: Pick<ToolArguments, 'sources' | 'port' | 'hops' | 'own' | 'peer' | 'udp' | 'mbps'> = {},
    ): Promise<DataOf<typeof contract.toolRun>> {
      const { accountId } = acting;
      const [device] = await devicesBySerial(tx, accountId, [serial]);
      if (!device) throw new Failure('notFound');
      const own = ownToolsOf(await capabilitiesOf(tx, accountId, serial));
      const args = { ...argumentsOf(asked, own), ...path };
      const gate = args.sources && !own.tools ? 'agent' : gateOf(asked.tool, device, own);
      if (gate) throw new Failure('unsupported', { data: { reason: gate } });
      if (!device.online) {
        throw new Failure('deviceOffline', { data: { queue_allowed: false }, params: { action: 'command' } });
      }
      if (asked.tool === 'speed') await refuseMoreTests(tx, accountId);
      const kept = hops === undefined ? args : { ...args, hops };
      const { jobId, ids } = await begin(tx, acting, asked.tool, kept, [device]);
      const id = ids[0]!;
      await record(tx, acting, {
        action: 'device.tool',
        object: { type: 'device', id: serial, name: device.remark },
        gwid: device.gwid,
        after: { tool: asked.tool, ...args },
        command: true,
        jobId,
      });
      return { id, job_id: jobId };
    },

    async offer(tx: Tx, accountId: string, serial: string): Promise<DataOf<typeof contract.toolOffer>> {
      const [device] = await devicesBySerial(tx, accountId, [serial]);
      if (!device) throw new Failure('notFound');
      const capabilities = await capabilitiesOf(tx, accountId, serial);
      const own = ownToolsOf(capabilities);
      return {
        list: offeredTools.map((tool) => ({ tool, why: gateOf(tool, device, own) })),
        places: own.tools ? uplinksOf(capabilities) : [],
      };
    },

    async list(
      tx: Tx,
      accountId: string,
      query: Parameters<typeof listRuns>[2],
      page: { limit: number; offset: number },
    ): Promise<{ list: Row[]; total: number }> {
      const { list, total } = await listRuns(tx, accountId, query, page);
      return { list: list.map(present), total };
    },

    async hopsOf(tx: Tx, accountId: string, id: string): Promise<readonly HopProbe[]> {
      return (await findRun(tx, { accountId, id }))?.result?.path ?? [];
    },

    async detail(tx: Tx, accountId: string, id: string): Promise<Detail> {
      const [row] = (await listRuns(tx, accountId, { id }, { limit: 1, offset: 0 })).list;
      if (!row) throw new Failure('notFound');
      const { output = null, ping = null, hops = null, neighbours = null } = row.result ?? {};
      const { lookups = null, tcp = null, http = null, speed = null, throughput = null } = row.result ?? {};
      return { ...present(row), output, ping, hops, lookups, tcp, http, speed, throughput, neighbours };
    },

    /** Logs the download. @throws Failure notFound without a file */
    async fetching(tx: Tx, acting: Acting, id: string): Promise<void> {
      const run = await findRun(tx, { accountId: acting.accountId, id });
      if (!run || run.file_size === null) throw new Failure('notFound');
      const [device] = await devicesBySerial(tx, acting.accountId, [run.serial]);
      await record(tx, acting, {
        action: 'device.tool_file',
        object: { type: 'device', id: run.serial, name: device?.remark ?? run.serial },
        gwid: device?.gwid ?? null,
        after: { tool: run.tool, bytes: run.file_size },
        command: true,
      });
    },

    /** Claims each direction once per token. */
    async speedWay(token: string, way: SpeedWay): Promise<{ accountId: string } | null> {
      const [accountId = '', id = '', secret = ''] = token.split('.');
      if (!uuid.test(accountId) || !uuid.test(id)) return null;
      const hash = createHash('sha256').update(secret).digest();
      const claim = { hash, way, now: clock.now() };
      const open = await database.withSystem((tx) => claimSpeedWay(tx, { accountId, id }, claim));
      return open ? { accountId } : null;
    },

    /** Null: unknown, expired or used. */
    async upload(token: string): Promise<Upload | null> {
      const [accountId = '', id = '', secret = ''] = token.split('.');
      if (!uuid.test(accountId) || !uuid.test(id)) return null;
      const hash = createHash('sha256').update(secret).digest();
      const open = (tx: Tx) =>
        findRun(tx, { accountId, id }).then((run) =>
          run?.upload_hash?.length === hash.length &&
          timingSafeEqual(run.upload_hash, hash) &&
          run.upload_until !== null &&
          run.upload_until > clock.now()
            ? run
            : null,
        );
      const run = await database.withSystem(open);
      if (!run) return null;
      return {
        accountId,
        max: fleetTools.toolLimits.fileBytes,
        async keep(file) {
          const kept = await database.withSystem(async (tx) => {
            // a second upload finds the address used
            const still = await open(tx);
            if (still) await keepFile(tx, still, file);
            return still !== null;
          });
          if (kept) await jobs.wake(accountId, run.serial);
          return kept;
        },
      };
    },
  };
}

/** Omits the gateways of a path: a person may see this device alone. */
function present(row: ShownRun): Row {
  const { hops: _hops, ...used } = row.arguments;
  return {
    id: row.id,
    serial: row.serial,
    remark: row.remark,
    tool: row.tool,
    arguments: used,
    state: row.state,
    reason: row.reason,
    job_id: row.job_id,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    operator: row.operator,
    file_size: row.file_size,
  };
}
