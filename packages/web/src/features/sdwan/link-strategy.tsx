import { useMemo, useState } from 'react';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { changedFields } from '../../ui/changed-fields.ts';
import { Choice } from '../../ui/choice.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty } from '../../ui/empty.tsx';
import { fieldError } from '../../ui/field.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { listed } from '../../ui/refusal.ts';
import { NameField, NumberField, whole } from '../../ui/rule-fields.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { refreshSdwan } from './refresh.ts';

type Strategy = Row<'/api/v3/sdwan/link_strategy/list'>;

/** Bounds and the standard values (contract). */
const numbers = {
  probe_ms: { min: 200, max: 10_000, standard: 500 },
  fails: { min: 1, max: 20, standard: 3 },
  recovers: { min: 1, max: 60, standard: 6 },
  hold_s: { min: 0, max: 3600, standard: 30 },
} as const;
type NumberKey = keyof typeof numbers;
const keys = Object.keys(numbers) as NumberKey[];

export function SdwanLinkStrategyScreen() {
  const may = useMay('network.write');
  const [edited, setEdited] = useState<Strategy | 'new' | null>(null);
  const columns = useMemo(columnsOf, []);
  const create = may && (
    <Button kind="primary" icon="plus" onClick={() => setEdited('new')}>
      {t('sdwan.strategy_create')}
    </Button>
  );
  return (
    <Page title={t('home.sdwan_link_strategy')}>
      <p className="quiet">{t('sdwan.strategy_about')}</p>
      <DataTable
        path="/api/v3/sdwan/link_strategy/list"
        name="sdwan-strategies"
        title={t('home.sdwan_link_strategy')}
        columns={columns}
        rowKey={(row) => row.id}
        {...(may ? { actions: (row: Strategy) => <Actions strategy={row} onEdit={setEdited} /> } : {})}
        never={
          <Empty icon="sliders" title={t('sdwan.strategy_never')} actions={create}>
            {t('sdwan.strategy_never_body')}
          </Empty>
        }
        toolbar={create}
      />
      {edited && <StrategyDialog strategy={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </Page>
  );
}

function StrategyDialog({ strategy, onClose }: { strategy: Strategy | null; onClose: () => void }) {
  const [name, setName] = useState(strategy?.name ?? '');
  const [order, setOrder] = useState(strategy?.order ?? 'preferred');
  const [values, setValues] = useState<Record<NumberKey, string>>(() => {
    const of = (key: NumberKey) => String(strategy?.[key] ?? numbers[key].standard);
    return { probe_ms: of('probe_ms'), fails: of('fails'), recovers: of('recovers'), hold_s: of('hold_s') };
  });
  const { wrong, busy, fields, send } = useForm<'name' | NumberKey>({ 4105: 'name' });
  const submit = () => {
    const wrongs = keys.map((key) => [key, fieldError(whole(numbers[key].min, numbers[key].max), values[key])]);
    return send({ name: fieldError('nameText', name), ...Object.fromEntries(wrongs) }, async () => {
      const given = {
        name,
        order,
        probe_ms: Number(values.probe_ms),
        fails: Number(values.fails),
        recovers: Number(values.recovers),
        hold_s: Number(values.hold_s),
      };
      if (strategy)
        await call('/api/v3/sdwan/link_strategy/update', {
          id: strategy.id,
          ...changedFields<typeof given>(given, strategy),
        });
      else await call('/api/v3/sdwan/link_strategy/create', given);
      notify('ok', t('sdwan.saved', { name }));
      onClose();
      await refreshSdwan();
    });
  };
  const used = strategy?.networks.length ?? 0;
  return (
    <Dialog
      title={strategy ? t('sdwan.strategy_edit', { name: strategy.name }) : t('sdwan.strategy_create')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        {used > 0 && <p className="notice notice-warn">{t('sdwan.strategy_pushes', { n: used })}</p>}
        <NameField
          label={t('sdwan.name')}
          maxLength={32}
          value={name}
          onChange={setName}
          error={wrong.name}
          autoFocus
        />
        <Choice
          label={t('sdwan.order_of_paths')}
          value={order}
          options={(['preferred', 'latency'] as const).map((value) => ({ value, label: t(`sdwan.path_${value}`) }))}
          onChange={setOrder}
        />
        {keys.map((key) => (
          <NumberField
            key={key}
            label={t(`sdwan.strategy_${key}`)}
            hint={t(`sdwan.strategy_hint_${key}`)}
            min={numbers[key].min}
            max={numbers[key].max}
            value={values[key]}
            onChange={(value) => setValues({ ...values, [key]: value })}
            error={wrong[key]}
          />
        ))}
      </div>
    </Dialog>
  );
}

function Actions({ strategy, onEdit }: { strategy: Strategy; onEdit: (strategy: Strategy) => void }) {
  const { id, name } = strategy;
  const remove = () =>
    ask({
      title: t('sdwan.delete_title', { name }),
      body: t('sdwan.strategy_delete_body'),
      confirm: t('sdwan.delete'),
      danger: true,
      act: async () => {
        await call('/api/v3/sdwan/link_strategy/delete', { id });
        notify('ok', t('sdwan.deleted', { name }));
        await refreshSdwan();
      },
    });
  const label = t('sdwan.acts_of', { name });
  return (
    <Menu
      label={label}
      target={(trigger) => <IconButton icon="more" label={label} {...trigger} />}
      items={[
        { label: t('sdwan.edit'), icon: 'edit', act: () => onEdit(strategy) },
        {
          label: t('sdwan.delete'),
          icon: 'trash',
          danger: true,
          why: strategy.is_used ? t('sdwan.strategy_used') : undefined,
          act: remove,
        },
      ]}
    />
  );
}

function columnsOf(): Column<Strategy>[] {
  return [
    { key: 'name', title: t('sdwan.name'), sort: 'name', cell: (row) => row.name, text: (row) => row.name },
    { key: 'order', title: t('sdwan.order_of_paths'), cell: orderText, text: orderText },
    ...keys.map(
      (key): Column<Strategy> => ({
        key,
        title: t(`sdwan.strategy_${key}`),
        sort: key,
        right: true,
        cell: (row) => row[key],
        text: (row) => row[key],
      }),
    ),
    { key: 'networks', title: t('sdwan.col_used'), cell: networksText, text: networksText },
  ];
}

const orderText = (row: Strategy) => t(`sdwan.path_${row.order}`);
const networksText = ({ networks }: Strategy) => listed(networks.map(({ name }) => name)) || '—';
