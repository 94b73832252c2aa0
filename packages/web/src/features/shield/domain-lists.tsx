import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { fieldError, SelectField } from '../../ui/field.tsx';
import { count } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import { Card } from '../../ui/page.tsx';
import { NameField, UrlField } from '../../ui/rule-fields.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { categories, type DomainList, refreshShield } from './shield.ts';

export function DomainLists() {
  const may = useMay('install.admin');
  const { data } = useRead('/api/v3/cloud_security/list/list', {});
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      title={t('shield.lists_title')}
      actions={may && <Button onClick={() => setOpen(true)}>{t('shield.list_add')}</Button>}
    >
      <div className="stack stack-s">
        <p className="quiet">{t('shield.lists_about')}</p>
        {data?.list.length === 0 && <p>{t('shield.lists_none')}</p>}
        {data && data.list.length > 0 && <ListTable lists={data.list} may={may} />}
      </div>
      {isOpen && <ListDialog onClose={() => setOpen(false)} />}
    </Card>
  );
}

export function ListTable({ lists, may }: { lists: readonly DomainList[]; may: boolean }) {
  return (
    <div className="table-scroll">
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t('shield.list_name')}</th>
            <th scope="col">{t('shield.list_category')}</th>
            <th scope="col">{t('shield.list_domains')}</th>
            <th scope="col">{t('shield.list_fetched')}</th>
            <th scope="col">{t('shield.list_sha')}</th>
            {may && (
              <th scope="col">
                <span className="sr">{t('action.more')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {lists.map((list) => (
            <tr key={list.id}>
              <td>
                {list.name}
                <div className="small dim">{list.url}</div>
              </td>
              <td>{t(`shield.category_${list.category}`)}</td>
              <td>{count(list.domains)}</td>
              <td>
                {list.fetched_at ? <RelativeTime at={list.fetched_at} /> : t('shield.list_never')}
                {list.error && <div className="small field-error">{t(`shield.error_${list.error}`)}</div>}
              </td>
              <td>
                <code className="mono small" title={list.sha256 ?? ''}>
                  {list.sha256?.slice(0, 16) ?? '—'}
                </code>
              </td>
              {may && (
                <td>
                  <Actions list={list} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Actions({ list: { id, name } }: { list: DomainList }) {
  const refresh = async () => {
    await call('/api/v3/cloud_security/list/refresh', { id });
    notify('ok', t('shield.list_refreshing', { name }));
    await refreshShield();
  };
  const remove = () =>
    ask({
      title: t('shield.list_delete_title', { name }),
      body: t('shield.list_delete_body'),
      confirm: t('shield.list_delete'),
      danger: true,
      act: async () => {
        await call('/api/v3/cloud_security/list/delete', { id });
        notify('ok', t('shield.list_deleted', { name }));
        await refreshShield();
      },
    });
  const label = t('shield.list_acts', { name });
  return (
    <Menu
      label={label}
      target={(trigger) => <IconButton icon="more" label={label} {...trigger} />}
      items={[
        { label: t('shield.list_refresh'), icon: 'refresh', act: () => void refresh() },
        { label: t('shield.list_delete'), icon: 'trash', danger: true, act: remove },
      ]}
    />
  );
}

const importable = categories.filter((category) => category !== 'own');

function ListDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [category, setCategory] = useState<(typeof importable)[number]>('malware');
  const [url, setUrl] = useState('');
  const { wrong, busy, fields, send } = useForm<'name' | 'url'>({ 4105: 'name' });
  const submit = () =>
    send({ name: fieldError('nameText', name), url: fieldError('url', url) }, async () => {
      await call('/api/v3/cloud_security/list/create', { name, category, url });
      notify('ok', t('shield.list_added', { name }));
      onClose();
      await refreshShield();
    });
  return (
    <Dialog
      title={t('shield.list_add')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('shield.list_add')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <NameField label={t('shield.list_name')} value={name} onChange={setName} error={wrong.name} autoFocus />
        <SelectField
          label={t('shield.list_category')}
          value={category}
          options={importable.map((value) => ({ value, label: t(`shield.category_${value}`) }))}
          onChange={setCategory}
        />
        <UrlField
          label={t('shield.list_url')}
          hint={t('shield.list_url_hint')}
          value={url}
          onChange={setUrl}
          error={wrong.url}
          placeholder="https://"
        />
      </div>
    </Dialog>
  );
}
