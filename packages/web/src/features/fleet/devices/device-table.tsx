import { useMemo } from 'react';
import { t } from '../../../app/i18n.ts';
import { useSearch } from '../../../app/search.ts';
import { useMay } from '../../../app/shell/current.ts';
import { useRead } from '../../../app/use-call.ts';
import { Empty } from '../../../ui/empty.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import {
  airFilter,
  groupFilter,
  modelFilter,
  radioFilter,
  statusFilter,
  syncFilter,
  tagFilter,
  templateFilter,
  versionFilter,
} from '../filters.ts';
import { GroupManager } from '../group-manager.tsx';
import { SavedViews, useTags } from '../saved-views.tsx';
import { useHasSettings } from './config-state.ts';
import type { DeviceRow } from './device-actions.ts';
import { useDeviceBatch } from './device-batch.tsx';
import { deviceColumns } from './device-columns.tsx';
import { DeviceDrawer } from './device-drawer.tsx';
import { DeviceMenu } from './device-menu.tsx';
import '../fleet.css';

type Kind = DeviceRow['kind'];

/** All networks if null. The address names the opened device. */
export function DeviceTable({ gwid, kind }: { gwid: string | null; kind: Kind }) {
  const mayWrite = useMay('network.write');
  const hasSettings = useHasSettings(gwid);
  const [search, change] = useSearch();
  const mayReadSettings = useMay('config.read');
  const columns = useMemo(
    () => deviceColumns(kind, { write: mayWrite, readSettings: mayReadSettings }, hasSettings, gwid === null),
    [kind, mayWrite, mayReadSettings, hasSettings, gwid],
  );
  const tags = useTags();
  const groups = useRead('/api/v3/ap/group/list', {}).data?.list;
  const templates = useTemplates(kind === 'ap' && mayReadSettings);
  const facets = useRead('/api/v3/device/facets', gwid ? { gwid, kind } : { kind }).data;
  const filters = useMemo(
    () => [
      statusFilter(),
      syncFilter(),
      groupFilter(groups ?? [], search.group),
      ...(kind === 'ap' ? [airFilter(), radioFilter()] : []),
      ...(templates ? [templateFilter(templates, search.template_id)] : []),
      tagFilter(tags, search.tag),
      modelFilter(facets?.models ?? [], search.model),
      versionFilter(facets?.versions ?? [], search.version),
    ],
    [kind, groups, templates, tags, facets, search.group, search.template_id, search.tag, search.model, search.version],
  );
  const fixed = useMemo(() => (gwid ? { gwid, kind } : { kind }), [gwid, kind]);
  const actions = useDeviceBatch(gwid, kind);
  const open = (row: DeviceRow) => change({ device: row.serial }, true);
  return (
    <>
      <DataTable
        path="/api/v3/ap/list"
        fixed={fixed}
        name={gwid === null ? `all-devices-${kind}` : `devices-${kind}`}
        title={t(`kind.${kind}`)}
        columns={columns}
        rowKey={(row) => row.serial}
        filters={filters}
        searchHint={t('device.search')}
        onOpen={open}
        batch={actions.batch}
        toolbar={
          <>
            <SavedViews list="devices" />
            <GroupManager />
          </>
        }
        actions={(row: DeviceRow) => <DeviceMenu row={row} show={() => open(row)} />}
        never={
          <Empty
            icon={kind === 'ap' ? 'wifi' : 'server'}
            title={kind === 'ap' ? t('aps.none') : t('aps.none_kind', { kind: t(`kind.${kind}`) })}
          >
            {t('network.empty_body')}
          </Empty>
        }
      />
      {actions.dialog}
      {search.device && <DeviceDrawer serial={search.device} onClose={() => change({ device: undefined })} />}
    </>
  );
}

/** Returns undefined if not needed. */
function useTemplates(asked: boolean): { id: string; name: string }[] | undefined {
  const page = { page: 1, limit: 200 };
  const ac = useRead('/api/v3/wireless_template/list', { kind: 'ac', ...page }, { enabled: asked }).data?.list;
  const wireless = useRead('/api/v3/wireless_template/list', { kind: 'wireless', ...page }, { enabled: asked }).data
    ?.list;
  return useMemo(() => (asked ? [...(wireless ?? []), ...(ac ?? [])] : undefined), [asked, ac, wireless]);
}
