import type { Row } from '../../app/api.ts';
import { t, textOf } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { isBareMac, labelsWith, networksIn } from '../../ui/changes/change-labels.ts';
import type { Labels } from '../../ui/changes/changes.ts';
import { mac } from '../../ui/format.ts';

export function actionName(action: string): string {
  return textOf(`log_action.${action}`) ?? action;
}

export function objectKind(type: Row<'/api/v3/log/action/list'>['object']['type']): string {
  return t(`object.${type}`);
}

/** Unnamed devices: serial or MAC; jobs: kind. */
export function objectName({ type, id, name }: { type: string; id: string; name: string }): string {
  if (type === 'job') return textOf(`job_type.${name}`) ?? name;
  return name === id && isBareMac(name) ? mac(name) : name;
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
