import type { ShieldCheck, ShieldReason, ShieldState } from '@yunxun/contract';
import {
  asFlag,
  asList,
  asRecord,
  asText,
  type Capabilities,
  type EdgeShieldState,
  isRecord,
} from '@yunxun/contract/device';
import type { Tx } from '../../platform/database/index.ts';
import { readLatestStates } from '../../telemetry/index.ts';
import { fleetDevices, type ManagedDevice } from '../fleet/index.ts';
import { type ListMeta, type PolicyRow, shieldTables } from './tables.ts';

export interface NetworkState {
  state: ShieldState;
  reason: ShieldReason | null;
  domains: number | null;
}

/** Returns policies by network. */
export async function readPolicies(
  tx: Tx,
  accountId: string,
  gwids: readonly string[],
): Promise<ReadonlyMap<string, PolicyRow>> {
  if (gwids.length === 0) return new Map();
  const rows = await shieldTables(tx)
    .selectFrom('shield_policy')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', 'in', [...gwids])
    .execute();
  return new Map(rows.map((row) => [row.gwid, row]));
}

export async function gatewaysOf(
  tx: Tx,
  accountId: string,
  gwids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, ManagedDevice>> {
  if (gwids.length === 0) return new Map();
  const devices = await fleetDevices.ofNetworks(tx, accountId, gwids, now);
  return new Map(devices.flatMap((device) => (device.routes && device.gwid ? [[device.gwid, device] as const] : [])));
}

/** Returns null if it can refuse domains. */
export function inability(device: ManagedDevice | undefined): ShieldReason | null {
  if (!device) return 'no_gateway';
  // it may be any
  if (device.capabilities === null) return 'gateway_offline';
  const { platform, yunxun } = device.capabilities as Capabilities;
  if (platform !== 'olg' || !isRecord(yunxun)) return 'not_agent';
  const ability = yunxun.abilities?.shield;
  if (ability === undefined) return 'ability';
  return ability ? null : 'no_resolver';
}

export async function networkStates(
  tx: Tx,
  accountId: string,
  gwids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, NetworkState>> {
  const policies = await readPolicies(tx, accountId, gwids);
  const gateways = await gatewaysOf(tx, accountId, gwids, now);
  const serials = [...gateways].flatMap(([gwid, { serial }]) => (policies.has(gwid) ? [serial] : []));
  const reports = await readLatestStates(tx, accountId, serials);
  return new Map(
    gwids.map((gwid) => {
      const device = gateways.get(gwid);
      const report = device && reports.get(device.serial)?.params.state;
      return [gwid, stateOf(policies.get(gwid), device, readReport(report))];
    }),
  );
}

function stateOf(
  policy: PolicyRow | undefined,
  device: ManagedDevice | undefined,
  report: EdgeShieldState | null,
): NetworkState {
  const unable = inability(device);
  if (!policy?.document) return { state: 'off', reason: unable, domains: null };
  if (unable) return { state: 'not_possible', reason: unable, domains: null };
  if (device?.status !== 'online') return { state: 'not_possible', reason: 'gateway_offline', domains: null };
  const { mode, lists } = policy.document;
  if (report?.mode !== mode) return { state: 'waiting', reason: 'not_applied', domains: null };
  const domains = report.lists.reduce((sum, list) => sum + list.domains, 0);
  if (lists.length === 0) return { state: 'waiting', reason: 'no_list', domains };
  const loaded = new Set(report.lists.map(({ sha256 }) => sha256));
  const isComplete = lists.every(({ sha256 }) => loaded.has(sha256));
  if (!isComplete) return { state: 'waiting', reason: 'list_missing', domains };
  if (mode === 'monitor') return { state: 'monitor', reason: null, domains };
  // the gateway asked its own resolver for a listed name
  if (report.refuses === true) return { state: 'enforced', reason: null, domains };
  return { state: 'waiting', reason: report.refuses === false ? 'not_refusing' : 'not_asked', domains };
}

/** Ignores untrusted reports of another shape. */
function readReport(state: unknown): EdgeShieldState | null {
  const { shield } = asRecord<{ shield: unknown }>(asRecord<{ yunxun: unknown }>(state).yunxun);
  const { mode, lists, refuses } = asRecord<{ mode: unknown; lists: unknown; refuses: unknown }>(shield);
  if (mode !== 'block' && mode !== 'monitor') return null;
  const loaded = asList(lists).flatMap((given) => {
    const { sha256, domains } = asRecord<{ sha256: unknown; domains: unknown }>(given);
    const sum = asText(sha256, 64);
    return sum === null || !Number.isSafeInteger(domains) ? [] : [{ sha256: sum, domains: domains as number }];
  });
  return {
    mode,
    lists: loaded.map((list) => ({ ...list, category: 'own' as const })),
    error: null,
    refuses: asFlag(refuses),
  };
}

const freshMs = 7 * 86_400_000;

/** Rates enforcement, categories and age of lists. */
export function checksOf(
  policy: PolicyRow | undefined,
  { state }: NetworkState,
  lists: readonly ListMeta[],
  now: Date,
): { check: ShieldCheck; points: number; most: number }[] {
  const acts = state === 'enforced' || state === 'monitor';
  const used = lists.filter(({ sha256 }) => policy?.document?.lists.some((list) => list.sha256 === sha256));
  const has = (category: string) => used.some((list) => list.category === category);
  const isFresh = used.every(({ checked_at: at, error }) => at && !error && now.getTime() - at.getTime() < freshMs);
  const check = (name: ShieldCheck, max: number, points: number) => ({
    check: name,
    points: acts ? points : 0,
    most: max,
  });
  return [
    check('enforced', 40, state === 'enforced' ? 40 : 15),
    check('malware', 15, has('malware') ? 15 : 0),
    check('phishing', 15, has('phishing') ? 15 : 0),
    check('mining', 5, has('mining') ? 5 : 0),
    check('redirect', 15, policy?.redirect ? 15 : 0),
    check('fresh', 10, used.length > 0 && isFresh ? 10 : 0),
  ];
}
