import type { configuration, DataOf, InputOf } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { devicesOfNetwork, networkName } from '../fleet/managed-devices.ts';
import { record } from '../logs/audit.ts';
import type { ChangeRegistry } from './changes.ts';
import type { Ssid, WirelessIntent } from './compile/index.ts';
import { readIntent, type Saved, writeIntent } from './intent-store.ts';
import { effectiveRadios } from './layers/effective.ts';
import type { Layered } from './layers/layered.ts';
import { followNewcomers } from './newcomers.ts';
import type { Planner } from './planner.ts';
import type { Previews } from './previews.ts';
import type { Rollout } from './rollout.ts';
import { completeIntent } from './validate.ts';

type Contract = typeof configuration;

export interface WirelessDeps {
  keys: AccountKeys;
  clock: Clock;
  planner: Planner;
  rollout: Rollout;
  changes: Pick<ChangeRegistry, 'before'>;
  previews: Previews;
  /** SSIDs of a network whose password a rule sets. */
  passwordRulesAt(tx: Tx, acting: Acting, gwid: string): Promise<DataOf<Contract['wirelessGet']>['password_rules']>;
}

/** Wireless settings of networks. */
export function createWireless({ keys, clock, planner, rollout, previews, changes, passwordRulesAt }: WirelessDeps) {
  async function get(tx: Tx, acting: Acting, gwid: string): Promise<DataOf<Contract['wirelessGet']>> {
    const { accountId } = acting;
    const { version, value, updatedAt, updatedBy } = await readIntent(tx, keys, accountId, gwid);
    const standing = await planner.standingOf(tx, accountId, gwid);
    return {
      gwid,
      version,
      ssids: value.ssids.map(present),
      radios: [...value.radios],
      country: value.country,
      defaults: effectiveRadios(standing),
      templates: fromTemplates(standing),
      password_rules: await passwordRulesAt(tx, acting, gwid),
      updated_at: updatedAt?.toISOString() ?? null,
      updated_by: updatedBy,
    };
  }

  /** @throws Failure changedMeanwhile; Invalid */
  async function save(
    tx: Tx,
    acting: Acting,
    input: InputOf<Contract['wirelessSave']>,
  ): Promise<DataOf<Contract['wirelessSave']>> {
    const { accountId } = acting;
    const { gwid } = input;
    const current = await readIntent(tx, keys, accountId, gwid, true);
    const intent = completeIntent(current.value, input);
    const by = acting.actor?.name ?? acting.source;
    if (current.version === input.version) await changes.before(tx, acting, { gwids: [gwid], cause: 'wireless_saved' });
    const fresh =
      current.version === input.version &&
      (await writeIntent(tx, keys, { accountId, gwid, over: input.version, intent, at: clock.now(), by }));
    if (!fresh)
      throw new Failure('changedMeanwhile', { data: { version: current.version, updated_by: current.updatedBy } });
    const devices = await devicesOfNetwork(tx, accountId, gwid, clock.now());
    const wish = { cause: 'wireless_saved' as const, author: by };
    const jobId = await rollout.start(tx, acting, devices, wish);
    await followNewcomers(tx, { accountId, place: { gwids: [gwid] }, jobId });
    const name = (await networkName(tx, accountId, gwid)) ?? gwid;
    await record(tx, acting, {
      action: 'network.wireless.save',
      object: { type: 'network', id: gwid, name },
      gwid,
      before: shown(current),
      after: {
        ...shown({ ...current, value: intent }),
        version: input.version + 1,
        keys_changed: keysChanged(current.value, intent),
      },
      ...(jobId && { jobId }),
    });
    return { job_id: jobId, version: input.version + 1 };
  }

  /** What saving would do; writes nothing. @throws Invalid */
  async function preview(
    tx: Tx,
    accountId: string,
    input: InputOf<Contract['wirelessPreview']>,
  ): Promise<DataOf<Contract['wirelessPreview']>> {
    const current = await readIntent(tx, keys, accountId, input.gwid);
    const intent = completeIntent(current.value, input);
    const managed = await devicesOfNetwork(tx, accountId, input.gwid, clock.now());
    const compile = await planner.compiler(tx, accountId, managed);
    return previews(tx, accountId, managed, (device) => compile(device, intent));
  }

  return { get, save, preview };
}

/** What templates that stand for a network say beside radios, each with the template and whether it may be changed here. */
function fromTemplates({ network, sources }: Layered): DataOf<Contract['wirelessGet']>['templates'] {
  const country = sources.get('country');
  return {
    country: country && network.country !== null ? { value: network.country, source: country } : null,
    ssids: network.ssids.flatMap(({ id, name, security, bands, vlan }) => {
      const source = sources.get(`ssids.${id}`);
      return source ? [{ name, security, bands: [...bands], vlan, source }] : [];
    }),
  };
}

function present({ key, bands, ...ssid }: Ssid): configuration.SsidRow {
  return { ...ssid, bands: [...bands], key_set: key !== null };
}

/** Settings as the operation log keeps them: without keys. */
function shown({ version, value }: Saved<WirelessIntent>): object {
  return { version, country: value.country, ssids: value.ssids.map(present), radios: value.radios };
}

/** Names of the SSIDs whose key is another one now. */
function keysChanged(before: WirelessIntent, after: WirelessIntent): string[] {
  const old = new Map(before.ssids.map(({ id, key }) => [id, key]));
  return after.ssids.filter(({ id, key }) => old.has(id) && old.get(id) !== key).map(({ name }) => name);
}
