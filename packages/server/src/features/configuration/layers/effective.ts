import { configuration, type layers as contract, type DataOf } from '@yunxun/contract';
import type { Capabilities } from '@yunxun/contract/device';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import { deviceGroups, fleetDevices, fleetNetworks, type ManagedDevice } from '../../fleet/index.ts';
import { noIntent, noOverride } from '../compile/index.ts';
import { bandsOfDevice } from '../compile/radio-facts.ts';
import { effectiveRadio } from '../compile/resolve.ts';
import type { Planner } from '../planner.ts';
import type { GeneralSettings, MergedSettings } from './merge-layers.ts';

type Effective = DataOf<(typeof configuration)['apEffectiveGet']>;

const byDefault: contract.Source = { layer: 'default', id: '', name: '', locked: false };

const generalDefaults: { [F in Exclude<keyof GeneralSettings, 'ports'>]: NonNullable<GeneralSettings[F]> } = {
  leds: true,
  fast_roaming: false,
  neighbour_reports: false,
  minimum_rssi: 0,
};

export function effectiveRadios({
  network,
  override,
  sources,
}: Pick<MergedSettings, 'network' | 'override' | 'sources'>): configuration.EffectiveRadio[] {
  return configuration.bands.map((band) => {
    const { band: _band, ...fields } = effectiveRadio(band, network, override);
    const entries = Object.entries(fields).map(([field, { value }]) => {
      const { layer, locked } = sources.get(`radios.${band}.${field}`) ?? byDefault;
      return [field, { value, source: layer, locked }];
    });
    return { band, ...Object.fromEntries(entries) } as configuration.EffectiveRadio;
  });
}

export function defaultRadios(): configuration.EffectiveRadio[] {
  return effectiveRadios({ network: noIntent, override: noOverride, sources: new Map() });
}

function bandsShown(capabilities: ManagedDevice['capabilities']): readonly configuration.Band[] {
  const own = bandsOfDevice(capabilities as Capabilities | null);
  return own.size === 0 ? configuration.bands : configuration.bands.filter((band) => own.has(band));
}

export function createEffective({ planner, clock }: { planner: Planner; clock: Clock }) {
  /** @throws Failure notFound */
  return async function effective(tx: Tx, accountId: string, serial: string): Promise<Effective> {
    const device = await fleetDevices.find(tx, accountId, serial, clock.now());
    if (!device) throw new Failure('notFound');
    const all = await planner.layeredOf(tx, device);
    const { network, override, general } = all;
    const { gwid, groupId } = device;
    const names = new Map([
      ...(await fleetNetworks.names(tx, accountId, gwid === null ? [] : [gwid])),
      ...(await deviceGroups.names(tx, accountId, groupId === null ? [] : [groupId])),
    ]);
    const sourceOf = (path: string): contract.Source => {
      const source = all.sources.get(path) ?? byDefault;
      return { ...source, name: source.name || (names.get(source.id) ?? '') };
    };
    const fields: Effective['fields'] = [
      { field: 'country', value: network.country, source: sourceOf('country') },
      ...bandsShown(device.capabilities).flatMap((band) => {
        const radio = effectiveRadio(band, network, override);
        return configuration.radioFields.map((field) => {
          const path = `radios.${band}.${field}`;
          return { field: path, value: radio[field].value, source: sourceOf(path) };
        });
      }),
      ...(Object.keys(generalDefaults) as (keyof typeof generalDefaults)[]).map((field) => {
        const path = `general.${field}`;
        return { field: path, value: general[field] ?? generalDefaults[field], source: sourceOf(path) };
      }),
    ];
    const ssids = network.ssids.map(({ id, name, security, bands, vlan, enabled }) => {
      const on = enabled && !override.ssids_off.includes(id);
      return { id, name, security, bands: [...bands], vlan, on, source: sourceOf(`ssids.${id}`) };
    });
    return { serial, fields, ssids };
  };
}
