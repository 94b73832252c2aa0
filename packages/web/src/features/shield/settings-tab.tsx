import { useEffect, useMemo, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { IconButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { count } from '../../ui/format.ts';
import { listed } from '../../ui/refusal.ts';
import { Tag } from '../../ui/status.tsx';
import type { BatchAct, Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { DomainLists } from './domain-lists.tsx';
import { OwnList } from './own-list.tsx';
import { PolicyDialog } from './policy-dialog.tsx';
import { maxAtOnce, refreshShield, type ShieldSetting, stateText } from './shield.ts';

/** Milliseconds between reads of what gateways report. */
const refreshEvery = 15_000;
const looks = {
  off: ['none', 'ring'],
  enforced: ['ok', 'dot'],
  monitor: ['info', 'diamond'],
  waiting: ['warn', 'turn'],
  not_possible: ['bad', 'cross'],
} as const;

export function SettingsTab() {
  const may = useMay('config.write');
  const [edited, setEdited] = useState<readonly ShieldSetting[] | null>(null);
  const columns = useMemo(columnsOf, []);
  useEffect(() => {
    const timer = setInterval(() => void refreshShield(), refreshEvery);
    return () => clearInterval(timer);
  }, []);
  const batch: BatchAct<ShieldSetting>[] = [
    {
      label: t('shield.set'),
      act: (selection) =>
        void selection
          .rows()
          .then((rows) => setEdited(rows.slice(0, maxAtOnce)))
          .catch(notifyError),
    },
  ];
  const actions = (row: ShieldSetting) => (
    <IconButton icon="edit" label={t('shield.edit', { name: row.name })} onClick={() => setEdited([row])} />
  );
  return (
    <div className="stack">
      <p className="quiet">{t('shield.about')}</p>
      <DataTable
        path="/api/v3/cloud_security/setting/list"
        name="shield-settings"
        title={t('shield.tab_settings')}
        columns={columns}
        rowKey={(row) => row.gwid}
        searchHint={t('shield.search')}
        {...(may ? { batch, actions } : {})}
        never={
          <Empty icon="shield" title={t('shield.networks_never')}>
            {t('shield.networks_never_body')}
          </Empty>
        }
      />
      <OwnList />
      <DomainLists />
      {edited && <PolicyDialog networks={edited} onClose={() => setEdited(null)} />}
    </div>
  );
}

const modeText = (row: ShieldSetting) => t(`shield.mode_${row.mode}`);
const categoriesText = ({ categories }: ShieldSetting) =>
  listed(categories.map((category) => t(`shield.category_${category}`))) || '—';

function State({ row }: { row: ShieldSetting }) {
  const [tone, shape] = looks[row.state];
  const isBypassed = !row.redirect && (row.state === 'enforced' || row.state === 'monitor');
  return (
    <div>
      <Tag tone={tone} shape={shape}>
        {t(`shield.state_${row.state}`)}
      </Tag>
      {row.reason && <div className="small dim">{stateText(row)}</div>}
      {isBypassed && <div className="small dim">{t('shield.bypass')}</div>}
    </div>
  );
}

function Score({ row }: { row: ShieldSetting }) {
  const missing = row.checks
    .filter(({ points, most: max }) => points < max)
    .map(({ check }) => t(`shield.check_${check}`));
  return (
    <div>
      <strong>{row.score}</strong>
      {row.mode !== 'off' && missing.length > 0 && (
        <div className="small dim">{t('shield.score_missing', { names: listed(missing) })}</div>
      )}
    </div>
  );
}

function columnsOf(): Column<ShieldSetting>[] {
  return [
    {
      key: 'name',
      title: t('shield.network'),
      sort: 'name',
      cell: (row) => <strong>{row.name}</strong>,
      text: (row) => row.name,
      inFiles: true,
    },
    { key: 'state', title: t('shield.state'), cell: (row) => <State row={row} />, text: stateText },
    { key: 'mode', title: t('shield.mode'), cell: modeText, text: modeText },
    { key: 'categories', title: t('shield.categories'), cell: categoriesText, text: categoriesText },
    {
      key: 'domains',
      title: t('shield.domains'),
      sort: 'domains',
      right: true,
      cell: (row) => (row.domains === null ? '—' : count(row.domains)),
      text: (row) => row.domains,
    },
    {
      key: 'score',
      title: t('shield.score'),
      sort: 'score',
      cell: (row) => <Score row={row} />,
      text: (row) => row.score,
    },
  ];
}
