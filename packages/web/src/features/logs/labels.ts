import type { Row } from '../../app/api.ts';
import { t, textOf } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { mac } from '../../ui/format.ts';
import type { Labels } from './changes.ts';

export function actionName(action: string): string {
  return textOf(`log_action.${action}`) ?? action;
}

export function objectKind(type: Row<'/api/v3/log/action/list'>['object']['type']): string {
  return t(`object.${type}`);
}

/** Unnamed devices: serial or MAC; jobs: kind. */
export function objectName({ type, id, name }: { type: string; id: string; name: string }): string {
  if (type === 'job') return textOf(`job_type.${name}`) ?? name;
  return name === id && bareMac.test(name) ? mac(name) : name;
}

export function fieldName(path: readonly string[]): string {
  return path.map((step) => textOf(`log_field.${step}`) ?? step).join(' › ');
}

const wordLists: Readonly<Record<string, string>> = {
  role: 'role.',
  permissions: 'permission.',
  power: 'wireless.power_',
  security: 'wireless.security_',
  bands: 'wireless.band_',
  band: 'wireless.band_',
  addressing: 'gateway.addressing_',
  protocol: 'gateway.protocol_',
  kind: 'gateway.limit_kind_',
  weekdays: 'gateway.day_',
  tool: 'tools.name_',
  pattern: 'tools.pattern_',
};

const namesDevices = /^(serial|mac)s?$/;
const bareMac = /^[0-9a-f]{12}$/;

const namesNetworks = /^gwids?$/;

export function networksIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const here = Object.entries(value).flatMap(([name, each]) =>
    namesNetworks.test(name) ? [each].flat().filter((gwid) => typeof gwid === 'string') : networksIn(each),
  );
  return [...new Set(here)];
}

const known = 200;

export function useLabels({ before, after }: { before: unknown; after: unknown }): Labels {
  const mayRead = useMay('network.read');
  const { data } = useRead('/api/v3/network/list', { page: 1, limit: known }, { enabled: mayRead });
  const networks = new Map(data?.list.map((row) => [row.gwid, row.remark]));
  // more networks than one page, or deleted ones: look up by id
  const others = data && data.total > data.list.length ? networksIn([before, after]).slice(0, known) : [];
  const gwids = others.filter((gwid) => !networks.has(gwid)).sort();
  const more = useRead('/api/v3/network/list', { page: 1, limit: known, gwids }, { enabled: gwids.length > 0 });
  for (const { gwid, remark } of more.data?.list ?? []) networks.set(gwid, remark);
  return labelsWith(networks);
}

export function labelsWith(networks: ReadonlyMap<string, string>): Labels {
  const labels: Labels = (name, value) => {
    if (Array.isArray(value)) return value.map((each) => labels(name, each)).join(', ');
    if (typeof value === 'boolean') return value ? t('log.yes') : t('log.no');
    if (typeof value !== 'string') return JSON.stringify(value);
    if (namesNetworks.test(name)) return networks.get(value) ?? value;
    if (namesDevices.test(name) && bareMac.test(value)) return mac(value);
    const list = wordLists[name];
    return (list && textOf(list + value)) ?? value;
  };
  return labels;
}
