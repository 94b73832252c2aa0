import { type configuration, configuration as contract, type DataOf, type InputOf } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { fleetDevices, fleetNetworks } from '../fleet/index.ts';
import { record } from '../logs/index.ts';
import type { ChangeRegistry } from './changes.ts';
import type { WirelessIntent } from './compile/index.ts';
import { readIntent, readPastIntent, type Saved, writeIntent } from './intent-store.ts';
import { enqueueLateEnrolmentReconcile } from './late-enrolment.ts';
import { effectiveRadios } from './layers/effective.ts';
import type { MergedSettings } from './layers/merge-layers.ts';
import type { Planner } from './planner.ts';
import type { Previews } from './previews.ts';
import type { Rollout } from './rollout.ts';
import { changedSecrets, presentSsid } from './ssid-secrets.ts';
import { completeIntent } from './validate.ts';

type Contract = typeof configuration;

export interface WirelessDeps {
  keys: AccountKeys;
  clock: Clock;
  planner: Planner;
  rollout: Rollout;
  changes: Pick<ChangeRegistry, 'before'>;
  previews: Previews;
  passwordRulesAt(tx: Tx, acting: Acting, gwid: string): Promise<DataOf<Contract['wirelessGet']>['password_rules']>;
}

export function createWireless({ keys, clock, planner, rollout, previews, changes, passwordRulesAt }: WirelessDeps) {
  async function get(tx: Tx, acting: Acting, gwid: string): Promise<DataOf<Contract['wirelessGet']>> {
    const { accountId } = acting;
    const { version, value, updatedAt, updatedBy } = await readIntent(tx, keys, accountId, gwid);
    const standing = await planner.settingsOf(tx, accountId, gwid);
    return {
      gwid,
      version,
      ssids: value.ssids.map(presentSsid),
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
  const save = (
    tx: Tx,
    acting: Acting,
    input: InputOf<Contract['wirelessSave']>,
  ): Promise<DataOf<Contract['wirelessSave']>> =>
    put(tx, acting, input, async (current) => completeIntent(current, input));

  /** Restores keys too. @throws Failure changedMeanwhile, notUndoable */
  const revert = (
    tx: Tx,
    acting: Acting,
    input: InputOf<Contract['wirelessRevert']>,
  ): Promise<DataOf<Contract['wirelessSave']>> => put(tx, acting, input, () => pastIntent(tx, acting.accountId, input));

  async function pastIntent(
    tx: Tx,
    accountId: string,
    { gwid, to }: InputOf<Contract['wirelessRevertPreview']>,
  ): Promise<WirelessIntent> {
    const intent = await readPastIntent(tx, keys, accountId, gwid, to);
    if (!intent) throw new Failure('notUndoable');
    return intent;
  }

  async function put(
    tx: Tx,
    acting: Acting,
    input: { gwid: string; version: number },
    wanted: (current: WirelessIntent) => Promise<WirelessIntent>,
  ): Promise<DataOf<Contract['wirelessSave']>> {
    const { accountId } = acting;
    const { gwid } = input;
    const current = await readIntent(tx, keys, accountId, gwid, true);
    const intent = await wanted(current.value);
    const by = acting.actor?.name ?? acting.source;
    if (current.version === input.version) await changes.before(tx, acting, { gwids: [gwid], cause: 'wireless_saved' });
    const fresh =
      current.version === input.version &&
      (await writeIntent(tx, keys, { accountId, gwid, over: input.version, intent, at: clock.now(), by }));
    if (!fresh)
      throw new Failure('changedMeanwhile', { data: { version: current.version, updated_by: current.updatedBy } });
    const devices = await fleetDevices.ofNetwork(tx, accountId, gwid, clock.now());
    const reason = { cause: 'wireless_saved' as const, author: by };
    const jobId = await rollout.start(tx, acting, devices, reason);
    await enqueueLateEnrolmentReconcile(tx, { accountId, place: { gwids: [gwid] }, jobId });
    const name = (await fleetNetworks.name(tx, accountId, gwid)) ?? gwid;
    await record(tx, acting, {
      action: 'network.wireless.save',
      object: { type: 'network', id: gwid, name },
      gwid,
      before: shown(current),
      after: {
        ...shown({ ...current, value: intent }),
        version: input.version + 1,
        keys_changed: changedSecrets(current.value.ssids, intent.ssids),
      },
      inverse: {
        path: contract.wirelessRevert.path,
        input: { gwid, version: input.version + 1, to: input.version },
      },
      ...(jobId && { jobId }),
    });
    const [offline, unconfirmed] = [fleetDevices.isAllOffline(devices), fleetDevices.unconfirmed(devices)];
    return { job_id: jobId, version: input.version + 1, offline, unconfirmed };
  }

  /** @throws Invalid */
  async function preview(
    tx: Tx,
    accountId: string,
    input: InputOf<Contract['wirelessPreview']>,
  ): Promise<DataOf<Contract['wirelessPreview']>> {
    const current = await readIntent(tx, keys, accountId, input.gwid);
    return previewOf(tx, accountId, input.gwid, completeIntent(current.value, input));
  }

  /** @throws Failure notUndoable */
  const revertPreview = async (tx: Tx, accountId: string, input: InputOf<Contract['wirelessRevertPreview']>) =>
    previewOf(tx, accountId, input.gwid, await pastIntent(tx, accountId, input));

  async function previewOf(
    tx: Tx,
    accountId: string,
    gwid: string,
    intent: WirelessIntent,
  ): Promise<DataOf<Contract['wirelessPreview']>> {
    const managed = await fleetDevices.ofNetwork(tx, accountId, gwid, clock.now());
    const compile = await planner.compiler(tx, accountId, managed);
    return previews(tx, accountId, managed, (device) => compile(device, intent));
  }

  return { get, save, preview, revert, revertPreview };
}

/** Returns values with their template and lock. */
function fromTemplates({ network, sources }: MergedSettings): DataOf<Contract['wirelessGet']>['templates'] {
  const country = sources.get('country');
  return {
    country: country && network.country !== null ? { value: network.country, source: country } : null,
    ssids: network.ssids.flatMap(({ id, name, security, bands, vlan }) => {
      const source = sources.get(`ssids.${id}`);
      return source ? [{ name, security, bands: [...bands], vlan, source }] : [];
    }),
  };
}

/** Formats for the operation log. */
function shown({ version, value }: Saved<WirelessIntent>): object {
  return { version, country: value.country, ssids: value.ssids.map(presentSsid), radios: value.radios };
}
