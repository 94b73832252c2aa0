import { useMemo, useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { changedFields } from '../../ui/changed-fields.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty } from '../../ui/empty.tsx';
import { fieldError, TextField } from '../../ui/field.tsx';
import { NameField } from '../../ui/rule-fields.tsx';
import type { BatchAct, Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { type Allowed, maxAtOnce, refreshShield } from './shield.ts';

export function AllowTab() {
  const may = useMay('config.write');
  const [edited, setEdited] = useState<Allowed | 'new' | null>(null);
  const columns = useMemo(columnsOf, []);
  const create = may && (
    <Button kind="primary" icon="plus" onClick={() => setEdited('new')}>
      {t('shield.allow_add')}
    </Button>
  );
  const batch: BatchAct<Allowed>[] = [
    {
      label: t('shield.allow_delete'),
      danger: true,
      act: (selection, done) =>
        void selection
          .rows()
          .then((rows) => removeAll(rows.slice(0, maxAtOnce), done))
          .catch(notifyError),
    },
  ];
  const actions = (row: Allowed) => (
    <span className="row nowrap">
      <IconButton icon="edit" label={t('shield.allow_edit', { name: row.name })} onClick={() => setEdited(row)} />
      <IconButton
        icon="trash"
        label={t('shield.allow_delete_one', { name: row.name })}
        onClick={() => removeAll([row], () => {})}
      />
    </span>
  );
  return (
    <div className="stack">
      <p className="quiet">{t('shield.allow_about')}</p>
      <DataTable
        path="/api/v3/cloud_security/allowlist/list"
        name="shield-allow"
        title={t('shield.tab_allowlist')}
        columns={columns}
        rowKey={(row) => row.id}
        searchHint={t('shield.allow_search')}
        {...(may ? { batch, actions } : {})}
        never={
          <Empty icon="shield" title={t('shield.allow_never')} actions={create}>
            {t('shield.allow_never_body')}
          </Empty>
        }
        toolbar={create}
      />
      {edited && <AllowDialog row={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </div>
  );
}

function AllowDialog({ row, onClose }: { row: Allowed | null; onClose: () => void }) {
  const [name, setName] = useState(row?.name ?? '');
  const [link, setLink] = useState(row?.link ?? '');
  const { wrong, busy, fields, send } = useForm<'name' | 'link'>({ 4105: 'name' });
  const submit = () =>
    send({ name: fieldError('nameText', name), link: fieldError('required', link) }, async () => {
      const { domain } = row
        ? await call('/api/v3/cloud_security/allowlist/update', {
            id: row.id,
            ...changedFields<{ name: string; link: string }>({ name, link }, row),
          })
        : await call('/api/v3/cloud_security/allowlist/create', { name, link });
      notify('ok', t('shield.allow_saved', { name, domain }));
      onClose();
      await refreshShield();
    });
  return (
    <Dialog
      title={row ? t('shield.allow_edit', { name: row.name }) : t('shield.allow_add')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <NameField label={t('shield.allow_name')} value={name} onChange={setName} error={wrong.name} autoFocus />
        <TextField
          label={t('shield.allow_link')}
          hint={t('shield.allow_link_hint')}
          rule="required"
          maxLength={2048}
          value={link}
          onChange={setLink}
          error={wrong.link}
          placeholder="https://"
        />
      </div>
    </Dialog>
  );
}

function removeAll(rows: readonly Allowed[], done: () => void): void {
  ask({
    title: t('shield.allow_delete_title', { n: rows.length }),
    body: t('shield.allow_delete_body'),
    confirm: t('shield.allow_delete'),
    danger: true,
    act: async () => {
      await call('/api/v3/cloud_security/allowlist/delete', { ids: rows.map(({ id }) => id) });
      await refreshShield();
      notify('ok', t('shield.allow_deleted', { n: rows.length }));
      done();
    },
  });
}

function columnsOf(): Column<Allowed>[] {
  const plain = (key: 'link' | 'domain', title: string, sort?: string): Column<Allowed> => ({
    key,
    title,
    cell: (row) => row[key],
    text: (row) => row[key],
    ...(sort ? { sort } : {}),
  });
  return [
    {
      key: 'name',
      title: t('shield.allow_name'),
      sort: 'name',
      cell: (row) => <strong>{row.name}</strong>,
      text: (row) => row.name,
      inFiles: true,
    },
    plain('link', t('shield.allow_link')),
    plain('domain', t('shield.allow_domain'), 'domain'),
    {
      key: 'created_at',
      title: t('shield.allow_created'),
      sort: 'created_at',
      cell: (row) => <RelativeTime at={row.created_at} />,
      text: (row) => row.created_at,
    },
  ];
}
