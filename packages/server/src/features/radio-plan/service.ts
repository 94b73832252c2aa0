import type { configuration, radioPlan as contract, DataOf, InputOf } from '@yunxun/contract';
import { asRecord, type State } from '@yunxun/contract/device';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import { newId, type Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { readLatestStates } from '../../telemetry/index.ts';
import type { Configuration } from '../configuration/index.ts';
import { type Fleet, fleetDevices, fleetNetworks } from '../fleet/index.ts';
import { record } from '../logs/index.ts';
import { type PlanBand, type PlanRadio, propose, radiosHeard } from './propose.ts';
import {
  changesOf,
  findPlan,
  insertPlan,
  itemsOf,
  noteApplied,
  type Plan,
  type PlanItem,
  plansOf,
  updatePlan,
} from './store.ts';

type RadioSettings = configuration.RadioSettings;
type Overview = DataOf<typeof configuration.apOverrideGet>;

const maxAps = 300;
/** Validity of a scan. */
const scanDays = 7;
/** DFS channels (ETSI EN 301 893, FCC 15.407): radar may force a radio off them. */
const isRadar = (channel: number) => channel >= 52 && channel <= 144;

export interface RadioPlanDeps {
  clock: Clock;
  overrides: Pick<Configuration['overrides'], 'get' | 'saveRadios'>;
  fleet: Pick<Fleet, 'scanNetwork' | 'latestScans'>;
}

export function createRadioPlanService({ clock, overrides, fleet }: RadioPlanDeps) {
  async function need(tx: Tx, accountId: string, id: string, lock = false): Promise<Plan> {
    const plan = await findPlan(tx, accountId, id, lock);
    if (!plan) throw new Failure('notFound');
    return plan;
  }

  return {
    /** @throws Failure limitReached */
    async start(
      tx: Tx,
      acting: Acting,
      { gwid, bands, dfs = false }: InputOf<typeof contract.planStart>,
    ): Promise<{ id: string; changes: number }> {
      const { accountId } = acting;
      const now = clock.now();
      const aps = (await fleetDevices.ofNetwork(tx, accountId, gwid, now)).filter(({ kind }) => kind === 'ap');
      if (aps.length > maxAps) throw new Failure('limitReached', { data: { limit: maxAps, used: aps.length } });
      const serials = aps.map(({ serial }) => serial);
      const states = await readLatestStates(tx, accountId, serials);
      const since = new Date(now.getTime() - scanDays * 86_400_000);
      const scans = await fleet.latestScans(tx, accountId, serials, since);
      const radios: PlanRadio[] = [];
      for (const serial of serials) {
        const report = await overrides.get(tx, accountId, serial);
        const reported = fleetDevices.radios(asRecord<State>(states.get(serial)?.params.state));
        for (const band of bands) {
          const radio = planned(report, reported, band, dfs);
          if (!radio) continue;
          const heard = (scans.get(serial) ?? []).flatMap(({ bssid, own, channel, frequency, signal }) =>
            channel !== null && signal !== null && bandOf(channel, frequency) === band
              ? [{ bssid, serial: own, channel, signal }]
              : [],
          );
          radios.push({ ...radio, heard: radiosHeard(heard) });
        }
      }
      const changes = propose(radios);
      const id = newId(now.getTime());
      const plan = {
        account_id: accountId,
        id,
        gwid,
        state: 'proposed' as const,
        bands,
        dfs,
        created_at: now,
        radios: radios.length,
        scanned: scans.size,
        aps: aps.length,
        operator: acting.actor?.name ?? acting.source,
      };
      await insertPlan(tx, plan, changes);
      await record(tx, acting, {
        action: 'plan.propose',
        object: { type: 'plan', id, name: (await fleetNetworks.name(tx, accountId, gwid)) ?? '' },
        gwid,
        after: { bands, dfs, radios: radios.length, changes: changes.length },
      });
      return { id, changes: changes.length };
    },

    scan: (tx: Tx, acting: Acting, gwid: string) => fleet.scanNetwork(tx, acting, gwid),

    async result(tx: Tx, accountId: string, id: string): Promise<DataOf<typeof contract.planResult>> {
      const plan = await need(tx, accountId, id);
      const items = await itemsOf(tx, accountId, id);
      const serials = [...new Set(items.map(({ serial }) => serial))];
      const names = new Map(
        (await fleetDevices.managed(tx, accountId, serials, clock.now())).map((one) => [one.serial, one.name]),
      );
      return {
        ...present(plan, items.length),
        items: items.map(({ serial, band, from_channel, to_channel, from_power, to_power, gain }) => {
          return {
            serial,
            remark: names.get(serial) ?? '',
            band,
            from_channel,
            to_channel,
            from_power,
            to_power,
            gain,
          };
        }),
      };
    },

    /** Writes or reverts device overrides. @throws Failure changedMeanwhile, notFound */
    async apply(
      tx: Tx,
      acting: Acting,
      { id, serials, back = false }: InputOf<typeof contract.planApply>,
    ): Promise<{ job_id: string }> {
      const { accountId } = acting;
      const plan = await need(tx, accountId, id, true);
      if (plan.state !== (back ? 'applied' : 'proposed')) throw new Failure('changedMeanwhile');
      const oldest = clock.now().getTime() - scanDays * 86_400_000;
      if (!back && plan.created_at.getTime() < oldest) throw new Failure('changedMeanwhile');
      const chosen = (await itemsOf(tx, accountId, id)).filter((item) =>
        back ? item.applied : (serials?.includes(item.serial) ?? true),
      );
      if (chosen.length === 0) throw new Failure('notFound');
      const wanted = new Map(
        chosen.map(({ serial }) => {
          const items = chosen.filter((item) => item.serial === serial);
          const to = back ? returned : changed;
          return [serial, (own: readonly RadioSettings[]) => items.map((item) => to(ofBand(own, item), item))];
        }),
      );
      const { jobId, before } = await overrides.saveRadios(tx, acting, wanted);
      if (!back) for (const item of chosen) await noteApplied(tx, item, ofBand(before.get(item.serial) ?? [], item));
      const state = back ? 'reverted' : 'applied';
      await updatePlan(tx, accountId, id, { state, job_id: jobId, ...(back ? {} : { applied_at: clock.now() }) });
      await record(tx, acting, {
        action: back ? 'plan.revert' : 'plan.apply',
        object: { type: 'plan', id, name: (await fleetNetworks.name(tx, accountId, plan.gwid)) ?? '' },
        gwid: plan.gwid,
        after: { devices: wanted.size, changes: chosen.length },
        ...(back ? {} : { inverse: { path: '/api/v3/ap/plan/apply', input: { id, back: true } } }),
        jobId,
      });
      return { job_id: jobId };
    },

    /** @throws Failure changedMeanwhile */
    async discard(tx: Tx, acting: Acting, id: string): Promise<void> {
      const plan = await need(tx, acting.accountId, id, true);
      if (plan.state !== 'proposed') throw new Failure('changedMeanwhile');
      await updatePlan(tx, acting.accountId, id, { state: 'discarded' });
      await record(tx, acting, {
        action: 'plan.discard',
        object: { type: 'plan', id, name: (await fleetNetworks.name(tx, acting.accountId, plan.gwid)) ?? '' },
        gwid: plan.gwid,
      });
    },

    async history(
      tx: Tx,
      accountId: string,
      { gwid, page = 1, limit = 10 }: InputOf<typeof contract.planHistory>,
    ): Promise<DataOf<typeof contract.planHistory>> {
      const { list, total } = await plansOf(tx, accountId, gwid, { limit, offset: (page - 1) * limit });
      const counts = await changesOf(
        tx,
        accountId,
        list.map(({ id }) => id),
      );
      return { list: list.map((plan) => present(plan, counts.get(plan.id) ?? 0)), total };
    },
  };
}

export type RadioPlans = ReturnType<typeof createRadioPlanService>;

const unsaid = (band: PlanBand): RadioSettings => ({
  band,
  enabled: null,
  channel: null,
  width: null,
  mode: null,
  power: null,
});

const ofBand = (radios: readonly RadioSettings[], item: PlanItem): RadioSettings | null =>
  radios.find(({ band }) => band === item.band) ?? null;

/** Keeps other fields. */
function changed(own: RadioSettings | null, item: PlanItem): RadioSettings {
  return {
    ...(own ?? unsaid(item.band)),
    ...(item.to_channel === item.from_channel ? {} : { channel: item.to_channel }),
    ...(item.to_power === item.from_power ? {} : { power: item.to_power }),
  };
}

/** Restores fields with planned values. */
function returned(own: RadioSettings | null, item: PlanItem): RadioSettings {
  const now = own ?? unsaid(item.band);
  const before = item.own_before ?? unsaid(item.band);
  return {
    ...now,
    ...(item.to_channel !== item.from_channel && now.channel === item.to_channel && { channel: before.channel }),
    ...(item.to_power !== item.from_power && now.power === item.to_power && { power: before.power }),
  };
}

/** Returns null if off, split, or without known channels. */
function planned(
  report: Overview,
  reported: ReturnType<typeof fleetDevices.radios>,
  band: PlanBand,
  dfs: boolean,
): Omit<PlanRadio, 'heard'> | null {
  const effective = report.effective.find((radio) => radio.band === band);
  const able = report.capabilities.find((radio) => radio.band === band);
  const here = reported.filter((radio) => radio.band?.startsWith(band));
  if (!effective?.enabled.value || !able || here.length > 1) return null;
  const [radio] = here;
  const allowed = able.channels.filter((channel) => dfs || band === '2G' || !isRadar(channel));
  const width = radio?.width ?? effective.width.value;
  if (allowed.length === 0) return null;
  return {
    serial: report.serial,
    band,
    allowed,
    power: effective.power.value,
    channel: radio?.channel ?? (typeof effective.channel.value === 'number' ? effective.channel.value : null),
    width: band === '2G' ? Math.min(width, 40) : width,
    channelLocked: effective.channel.locked,
    powerLocked: effective.power.locked,
  };
}

function bandOf(channel: number, frequency: number | null): PlanBand | null {
  if (frequency !== null && frequency >= 5925) return null;
  return channel <= 14 ? '2G' : channel <= 177 ? '5G' : null;
}

function present(plan: Plan, changes: number) {
  const { id, gwid, state, bands, dfs, radios, scanned, aps, operator, job_id } = plan;
  return {
    id,
    gwid,
    state,
    bands,
    dfs,
    radios,
    scanned,
    aps,
    operator,
    job_id,
    changes,
    created_at: plan.created_at.toISOString(),
    applied_at: plan.applied_at?.toISOString() ?? null,
  };
}
