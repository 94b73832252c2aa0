import { type configuration, type DataOf, type InputOf, layers as templates } from '@yunxun/contract';
import type { Capabilities } from '@yunxun/contract/device';
import { readSubnet } from '@yunxun/contract/ipv4';
import { linesOver } from '@yunxun/contract/subnet-collisions';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { fleetDevices, type ManagedDevice } from '../fleet/index.ts';
import { record } from '../logs/index.ts';
import type { ChangeRegistry } from './changes.ts';
import type { DeviceOverride } from './compile/index.ts';
import { radiosOf } from './compile/radio-facts.ts';
import { type GatewayReportDeps, subnetsOf } from './gateway-reports.ts';
import { readOverride, writeOverride } from './intent-store.ts';
import { readOwnAssignments } from './layers/assignment-store.ts';
import { effectiveRadios } from './layers/effective.ts';
import { assignToDevice } from './layers/template-store.ts';
import type { Planner } from './planner.ts';
import type { Rollout } from './rollout.ts';
import { checkOverride } from './validate.ts';
import { ValidationErrors } from './validation-errors.ts';

type Contract = typeof configuration;
type RadioSettings = configuration.RadioSettings;
type Overview = DataOf<Contract['apOverrideGet']>;

export interface OverrideDeps {
  clock: Clock;
  latestStates: GatewayReportDeps['latestStates'];
  planner: Planner;
  rollout: Rollout;
  changes: Pick<ChangeRegistry, 'before'>;
}

export function createOverrides({ clock, planner, rollout, changes, latestStates }: OverrideDeps) {
  async function need(tx: Tx, accountId: string, serial: string): Promise<ManagedDevice> {
    const device = await fleetDevices.find(tx, accountId, serial, clock.now());
    if (!device) throw new Failure('notFound');
    return device;
  }

  /** @throws Invalid if a WAN overlaps */
  async function checkLan(tx: Tx, { accountId, serial }: ManagedDevice, address: string): Promise<void> {
    const latest = (await latestStates(tx, accountId, [serial])).get(serial);
    const lan = readSubnet(address);
    const [line] = lan ? linesOver(lan, subnetsOf(latest?.params.state)) : [];
    if (!line) return;
    const errors = new ValidationErrors();
    errors.add('lan_address', 'validation.lineSubnet', { name: line.line, subnet: line.subnet });
    errors.settle();
  }

  return {
    async get(tx: Tx, accountId: string, serial: string): Promise<Overview> {
      const device = await need(tx, accountId, serial);
      const { version, value } = await readOverride(tx, accountId, serial);
      const layers = await planner.layeredOf(tx, device);
      const { radios, ssids_off: off, lan_address: lan } = value;
      return {
        serial,
        version,
        radios: [...radios],
        ssids_off: [...off],
        lan_address: lan,
        effective: effectiveRadios(layers),
        ssids: layers.network.ssids.map(({ id, name, bands, enabled }) => ({
          id,
          name,
          bands: [...bands],
          on: enabled && !layers.override.ssids_off.includes(id),
          locked: layers.sources.get(`ssids.${id}`)?.locked ?? false,
        })),
        capabilities: abilities(device.capabilities),
      };
    },

    async carry(tx: Tx, acting: Acting, from: string, to: string): Promise<void> {
      const { accountId } = acting;
      for (const kind of templates.templateKinds)
        await assignToDevice(
          tx,
          accountId,
          to,
          kind,
          (await readOwnAssignments(tx, accountId, kind, [from])).get(from) ?? null,
        );
      const [old, fresh] = [await readOverride(tx, accountId, from), await readOverride(tx, accountId, to)];
      // clears the replacement's override if the old device had none
      if (old.version === 0 && fresh.version === 0) return;
      const by = acting.actor?.name ?? acting.source;
      const saved = { accountId, serial: to, over: fresh.version, override: old.value, at: clock.now(), by };
      if (!(await writeOverride(tx, saved))) throw new Failure('changedMeanwhile');
    },

    /**
     * Changes radios in one job; unnamed bands stay.
     * @returns the job, and the former radios
     */
    async saveRadios(
      tx: Tx,
      acting: Acting,
      wanted: ReadonlyMap<string, (own: readonly RadioSettings[]) => readonly RadioSettings[]>,
    ): Promise<{ jobId: string; before: Map<string, readonly RadioSettings[]> }> {
      const { accountId } = acting;
      const devices = await fleetDevices.managed(tx, accountId, [...wanted.keys()], clock.now());
      if (devices.length < wanted.size) throw new Failure('notFound');
      const gwids = [...new Set(devices.flatMap(({ gwid }) => gwid ?? []))];
      await changes.before(tx, acting, { gwids, cause: 'override_saved' });
      const by = acting.actor?.name ?? acting.source;
      const before = new Map<string, readonly RadioSettings[]>();
      for (const { serial } of devices) {
        const { version, value } = await readOverride(tx, accountId, serial);
        const radios = wanted.get(serial)?.(value.radios) ?? [];
        const others = value.radios.filter(({ band }) => !radios.some((radio) => radio.band === band));
        const override = { ...value, radios: [...others, ...radios.filter(isStated)] };
        checkOverride(override);
        before.set(serial, value.radios);
        if (!(await writeOverride(tx, { accountId, serial, over: version, override, at: clock.now(), by })))
          throw new Failure('changedMeanwhile');
      }
      const jobId = await rollout.start(tx, acting, devices, { cause: 'override_saved', author: by });
      if (jobId === null) throw new Failure('notFound');
      return { jobId, before };
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
      const { lan_address: lan } = override;
      if (lan !== null && lan !== current.value.lan_address && device.routes) await checkLan(tx, device, lan);
      const { ports, ...before } = current.value;
      const by = acting.actor?.name ?? acting.source;
      if (current.version === input.version && device.gwid)
        await changes.before(tx, acting, { gwids: [device.gwid], cause: 'override_saved' });
      const fresh =
        current.version === input.version &&
        (await writeOverride(tx, {
          accountId,
          serial: input.serial,
          over: input.version,
          override: { ...override, ...(ports && { ports }) },
          at: clock.now(),
          by,
        }));
      if (!fresh)
        throw new Failure('changedMeanwhile', { data: { version: current.version, updated_by: current.updatedBy } });
      const jobId = await rollout.start(tx, acting, [device], { cause: 'override_saved', author: by });
      if (jobId === null) throw new Failure('notFound');
      const version = input.version + 1;
      await record(tx, acting, {
        action: 'device.override.save',
        object: { type: 'device', id: device.serial, name: device.name },
        gwid: device.gwid,
        before,
        after: override,
        inverse: { path: '/api/v3/ap/override/save', input: { serial: device.serial, version, ...before } },
        jobId,
      });
      return { job_id: jobId, version };
    },
  };
}

const isStated = ({ band: _band, ...fields }: RadioSettings) => Object.values(fields).some((value) => value !== null);

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
