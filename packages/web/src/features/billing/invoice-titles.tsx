import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { fieldError, SelectField, TextField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';

const path = '/api/v3/billing/invoice/title/list';
type Title = Data<typeof path>['list'][number];

const kinds = ['company', 'person'] as const;
const details = ['tax_no', 'address', 'phone', 'bank', 'bank_account', 'email'] as const;
const longest = { tax_no: 20, address: 200, phone: 40, bank: 100, bank_account: 40, email: 254 } as const;

export function InvoiceTitles() {
  const may = useMay('billing.write');
  const { data, error, refetch } = useRead(path, {});
  const [edited, setEdited] = useState<Title | 'new' | null>(null);
  const add = may && (
    <Button kind="primary" icon="plus" onClick={() => setEdited('new')}>
      {t('invoice.title_add')}
    </Button>
  );
  if (!data)
    return <Card>{error ? <Failed error={error} retry={() => void refetch()} /> : <Skeleton height={200} />}</Card>;
  return (
    <>
      {data.list.length === 0 ? (
        <Card>
          <Empty icon="file" title={t('invoice.titles_never')} actions={add}>
            {t('invoice.titles_body')}
          </Empty>
        </Card>
      ) : (
        <Card title={t('invoice.tab_titles')} actions={add}>
          <table className="plain-table">
            <caption className="sr">{t('invoice.tab_titles')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('invoice.name')}</th>
                <th scope="col">{t('invoice.kind')}</th>
                <th scope="col">{t('invoice.tax_no')}</th>
                {may && (
                  <th scope="col">
                    <span className="sr">{t('action.edit')}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {data.list.map((title) => (
                <tr key={title.id}>
                  <td>{title.name}</td>
                  <td>{t(`invoice.kind_${title.kind}`)}</td>
                  <td className="mono">{title.tax_no || '—'}</td>
                  {may && (
                    <td className="row">
                      <Button kind="link" onClick={() => setEdited(title)}>
                        {t('invoice.title_edit')}
                      </Button>
                      <Button kind="link" onClick={() => remove(title)}>
                        {t('invoice.title_delete')}
                      </Button>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </Card>
      )}
      {edited && <TitleDialog edited={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </>
  );
}

const changed = () => queryClient.invalidateQueries({ queryKey: [path] });

function remove({ id, name }: Title) {
  ask({
    title: t('invoice.title_delete'),
    body: t('invoice.title_delete_body', { name }),
    danger: true,
    confirm: t('invoice.title_delete'),
    act: async () => {
      await call('/api/v3/billing/invoice/title/delete', { id });
      await changed();
    },
  });
}

function TitleDialog(props: { edited: Title | null; onClose: () => void }) {
  const { onClose } = props;
  // the list may reload
  const [edited] = useState(props.edited);
  const [kind, setKind] = useState(edited?.kind ?? 'company');
  const [name, setName] = useState(edited?.name ?? '');
  const [given, setGiven] = useState<Record<(typeof details)[number], string>>({
    tax_no: '',
    address: '',
    phone: '',
    bank: '',
    bank_account: '',
    email: '',
    ...edited,
  });
  const { wrong, busy, fields, send } = useForm<'name' | (typeof details)[number]>();
  const submit = () =>
    send(
      {
        name: fieldError('required', name),
        tax_no: kind === 'company' ? fieldError('required', given.tax_no) : null,
        email: fieldError('email', given.email, true),
      },
      async () => {
        const wanted = Object.fromEntries(details.map((field) => [field, given[field]]));
        const read = edited && { id: edited.id, version: edited.version };
        await call('/api/v3/billing/invoice/title/save', { ...read, kind, name, ...wanted });
        await changed();
        notify('ok', t('invoice.title_saved'));
        onClose();
      },
    );
  return (
    <Dialog
      title={edited ? t('invoice.title_edit') : t('invoice.title_add')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <SelectField
          label={t('invoice.kind')}
          value={kind}
          options={kinds.map((value) => ({ value, label: t(`invoice.kind_${value}`) }))}
          onChange={setKind}
        />
        <TextField label={t('invoice.name')} maxLength={100} value={name} onChange={setName} error={wrong.name} />
        {details.map((field) => (
          <TextField
            key={field}
            label={t(`invoice.${field}`)}
            maxLength={longest[field]}
            value={given[field]}
            onChange={(value) => setGiven((now) => ({ ...now, [field]: field === 'tax_no' ? value.trim() : value }))}
            error={wrong[field]}
          />
        ))}
      </div>
    </Dialog>
  );
}
