import type { configuration, DataOf, InputOf } from '@yunxun/contract';
import type { Capabilities } from '@yunxun/contract/device';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { findDevice, type ManagedDevice } from '../fleet/managed-devices.ts';
import { record } from '../logs/audit.ts';
import { type DeviceOverride, noIntent } from './compile/index.ts';
import { radiosOf } from './compile/radio-facts.ts';
import { effectiveRadios } from './compile/resolve.ts';
import { readIntent, readOverride, writeOverride } from './intent-store.ts';
import type { Rollout } from './rollout.ts';
import { checkOverride } from './validate.ts';

type Contract = typeof configuration;
type Overview = DataOf<Contract['apOverrideGet']>;

export interface OverrideDeps {
  keys: AccountKeys;
  clock: Clock;
  rollout: Rollout;
}

/** What single devices do otherwise than their networks say. */
export function createOverrides({ keys, clock, rollout }: OverrideDeps) {
  async function need(tx: Tx, accountId: string, serial: string): Promise<ManagedDevice> {
    const device = await findDevice(tx, accountId, serial, clock.now());
    if (!device) throw new Failure('notFound');
    return device;
  }

  return {
    async get(tx: Tx, accountId: string, serial: string): Promise<Overview> {
      const device = await need(tx, accountId, serial);
      const { version, value } = await readOverride(tx, accountId, serial);
      const network = device.gwid ? (await readIntent(tx, keys, accountId, device.gwid)).value : noIntent;
      const { radios, ssids_off: off, lan_address: lan } = value;
      return {
        serial,
        version,
        radios: [...radios],
        ssids_off: [...off],
        lan_address: lan,
        effective: effectiveRadios(network, value),
        ssids: network.ssids.map(({ id, name, bands, enabled }) => ({
          id,
          name,
          bands: [...bands],
          on: enabled && !off.includes(id),
        })),
        capabilities: abilities(device.capabilities),
      };
    },

    /** @throws Failure changedMeanwhile; Invalid */
    async save(
      tx: Tx,
      acting: Acting,
      input: InputOf<Contract['apOverrideSave']>,
    ): Promise<DataOf<Contract['apOverrideSave']>> {
      const { accountId } = acting;
      const device = await need(tx, accountId, input.serial);
      const override: DeviceOverride = {
        radios: input.radios,
        ssids_off: input.ssids_off,
        lan_address: input.lan_address || null,
      };
      checkOverride(override);
      const current = await readOverride(tx, accountId, input.serial);
      const by = acting.actor?.name ?? acting.source;
      const fresh =
        current.version === input.version &&
        (await writeOverride(tx, {
          accountId,
          serial: input.serial,
          over: input.version,
          override,
          at: clock.now(),
          by,
        }));
      if (!fresh)
        throw new Failure('changedMeanwhile', { data: { version: current.version, updated_by: current.updatedBy } });
      const jobId = await rollout.start(tx, acting, [device], { cause: 'override_saved', author: by });
      const version = input.version + 1;
      await record(tx, acting, {
        action: 'device.override.save',
        object: { type: 'device', id: device.serial, name: device.name },
        gwid: device.gwid,
        before: current.value,
        after: override,
        inverse: { path: '/api/v3/ap/override/save', input: { serial: device.serial, version, ...current.value } },
        jobId,
      });
      return { job_id: jobId, version };
    },
  };
}

/** What the radios of each band can all do. */
function abilities(capabilities: Record<string, unknown> | null): Overview['capabilities'] {
  const bands = new Map<configuration.Band, Overview['capabilities'][number]>();
  for (const { band, channels, modes } of radiosOf(capabilities as Capabilities | null)) {
    const known = bands.get(band) ?? { band, channels: [], widths: [], modes: [] };
    bands.set(band, {
      band,
      channels: [...new Set([...known.channels, ...(channels ?? [])])].toSorted((a, b) => a - b),
      widths: [...new Set([...known.widths, ...(modes ?? []).map(({ width }) => width)])].toSorted((a, b) => a - b),
      modes: [...new Set([...known.modes, ...(modes ?? []).map(({ mode }) => mode)])],
    });
  }
  return [...bands.values()];
}
