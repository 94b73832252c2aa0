import type { Row } from '../../app/api.ts';
import { t, textOf } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { mac } from '../../ui/format.ts';
import type { Words } from './changes.ts';

/** What was done, in the page's language. */
export function actionName(action: string): string {
  return textOf(`log_action.${action}`) ?? action;
}

/** What kind of thing it was done to. */
export function objectKind(type: Row<'/api/v3/log/action/list'>['object']['type']): string {
  return t(`object.${type}`);
}

/** What it was done to: what nobody named by its serial or MAC as it stands on the label, a job by what it does. */
export function objectName({ type, id, name }: { type: string; id: string; name: string }): string {
  if (type === 'job') return textOf(`job_type.${name}`) ?? name;
  return name === id && bareMac.test(name) ? mac(name) : name;
}

/** A field by its path, each step of it in the page's language where there is a word. */
export function fieldName(path: readonly string[]): string {
  return path.map((step) => textOf(`log_field.${step}`) ?? step).join(' › ');
}

/** Fields whose values are words of a list, by the keys that those have. */
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

/** Fields that hold serials and MACs of terminals, and those as they are kept. */
const namesDevices = /^(serial|mac)s?$/;
const bareMac = /^[0-9a-f]{12}$/;

/** Fields that hold networks. */
const namesNetworks = /^gwids?$/;

/** The networks that values name, each once. */
export function networksIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const here = Object.entries(value).flatMap(([name, each]) =>
    namesNetworks.test(name) ? [each].flat().filter((gwid) => typeof gwid === 'string') : networksIn(each),
  );
  return [...new Set(here)];
}

/** Networks whose names are read at once. */
const known = 200;

/** The words for the values of an operation: truth values, enumerations, networks by their names. */
export function useWords({ before, after }: { before: unknown; after: unknown }): Words {
  const mayRead = useMay('network.read');
  const { data } = useRead('/api/v3/network/list', { page: 1, limit: known }, { enabled: mayRead });
  const networks = new Map(data?.list.map((row) => [row.gwid, row.remark]));
  // an account may have more networks than that, and an operation name networks that are gone
  const others = data && data.total > data.list.length ? networksIn([before, after]).slice(0, known) : [];
  const gwids = others.filter((gwid) => !networks.has(gwid)).sort();
  const more = useRead('/api/v3/network/list', { page: 1, limit: known, gwids }, { enabled: gwids.length > 0 });
  for (const { gwid, remark } of more.data?.list ?? []) networks.set(gwid, remark);
  return wordsWith(networks);
}

/** The same when the names of the networks are known, or none is named. */
export function wordsWith(networks: ReadonlyMap<string, string>): Words {
  const words: Words = (name, value) => {
    if (Array.isArray(value)) return value.map((each) => words(name, each)).join(', ');
    if (typeof value === 'boolean') return value ? t('log.yes') : t('log.no');
    if (typeof value !== 'string') return JSON.stringify(value);
    if (namesNetworks.test(name)) return networks.get(value) ?? value;
    if (namesDevices.test(name) && bareMac.test(value)) return mac(value);
    const list = wordLists[name];
    return (list && textOf(list + value)) ?? value;
  };
  return words;
}
