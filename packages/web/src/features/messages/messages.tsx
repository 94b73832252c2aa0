import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Input } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { useUser } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { exactTime } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import type { BatchAct, Column, Filter } from '../../ui/table/columns.ts';
import { confirmDelete } from '../../ui/table/confirm-delete.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';
import { ConsoleLink } from './console-link.tsx';
import { type MessageRow, messageTitle, templatesSaying } from './labels.ts';
import { readingPath, refreshInbox } from './paths.ts';
import './messages.css';

const types = ['alarm', 'system', 'security', 'product', 'billing', 'job'] as const;
const atOnce = 200;

async function each(rows: readonly MessageRow[], act: (ids: string[]) => Promise<unknown>): Promise<void> {
  const ids = rows.map((row) => row.id);
  try {
    for (let at = 0; at < ids.length; at += atOnce) await act(ids.slice(at, at + atOnce));
  } finally {
    // earlier batches may have succeeded
    await refreshInbox();
  }
}

const markRead = (rows: readonly MessageRow[]) => each(rows, (ids) => call('/api/v3/message/read', { ids }));
const remove = (rows: readonly MessageRow[]) => each(rows, (ids) => call('/api/v3/message/batch_delete', { ids }));

export function MessagesScreen() {
  const [search, change] = useSearch();
  const navigate = useNavigate();
  const type = oneOf(search.type, types);
  // read marks are personal: disabled in a preview
  const { viewing } = useUser();
  const { data: count } = useRead('/api/v3/message/unread_count', {});
  const columns = useMemo(messageColumns, []);
  const filters = useMemo(stateFilter, []);
  const fixed = useMemo(() => asked(type, search.keyword), [type, search.keyword]);
  const batch = useMemo(batchActions, []);
  const markAll = async () => {
    try {
      await call('/api/v3/message/read_all', type ? { type } : {});
      await refreshInbox();
      notify('ok', t('inbox.marked'));
    } catch (error) {
      notifyError(error);
    }
  };
  return (
    <Page
      title={t('messages.index')}
      actions={
        !viewing && (
          <Button icon="check" disabled={count?.unread === 0} onClick={markAll}>
            {t('inbox.mark_all')}
          </Button>
        )
      }
    >
      <Tabs
        label={t('inbox.type')}
        value={type ?? 'all'}
        onChange={(value) => change({ type: value === 'all' ? undefined : value, page: undefined })}
        tabs={[
          { value: 'all', label: t('inbox.all') },
          ...types.map((value) => ({ value, label: t(`message_type.${value}`) })),
        ]}
      >
        <DataTable
          key={type ?? 'all'}
          path="/api/v3/message/list"
          fixed={fixed}
          name="messages"
          title={t('messages.index')}
          columns={columns}
          rowKey={(row) => row.id}
          filters={filters}
          searchHint={t('inbox.search')}
          {...(viewing ? {} : { batch, actions: (row: MessageRow) => <RowActions row={row} /> })}
          onOpen={(row) => void navigate({ to: readingPath(row.id) })}
          never={
            <Empty icon="mail" title={t('inbox.never')}>
              {t('inbox.never_body')}
            </Empty>
          }
        />
      </Tabs>
    </Page>
  );
}

function asked(
  type: MessageRow['type'] | undefined,
  keyword: string | undefined,
): Partial<Input<'/api/v3/message/list'>> {
  const templates = keyword ? templatesSaying(keyword) : [];
  return { ...(type && { type }), ...(templates.length > 0 && { keyword_templates: templates }) };
}

function stateFilter(): Filter[] {
  return [
    {
      name: 'state',
      label: t('inbox.state'),
      options: (['unread', 'read'] as const).map((value) => ({ value, label: t(`inbox.${value}`) })),
      input: (value) => ({ unread: value === 'unread' }),
    },
  ];
}

function batchActions(): BatchAct<MessageRow>[] {
  return [
    {
      label: t('inbox.mark_read'),
      act: async (selection, done) => {
        try {
          await markRead(await selection.rows());
          notify('ok', t('inbox.marked'));
          done();
        } catch (error) {
          notifyError(error);
        }
      },
    },
    {
      label: t('action.delete'),
      danger: true,
      act: (selection, done) =>
        confirmDelete(selection.count, [], async () => {
          await remove(await selection.rows());
          done();
        }),
    },
  ];
}

function RowActions({ row }: { row: MessageRow }) {
  return (
    <span className="row">
      {!row.is_read && (
        <IconButton icon="check" label={t('inbox.mark_read')} onClick={() => markRead([row]).catch(notifyError)} />
      )}
      <IconButton
        icon="trash"
        label={t('action.delete')}
        onClick={() => confirmDelete(1, [messageTitle(row)], () => remove([row]))}
      />
    </span>
  );
}

function messageColumns(): Column<MessageRow>[] {
  return [
    {
      key: 'subject',
      title: t('inbox.subject'),
      cell: (row) => (
        <span className="row subject" data-unread={!row.is_read || undefined}>
          <i className="unread-dot" aria-hidden="true" />
          <Link to={readingPath(row.id)}>{messageTitle(row)}</Link>
          {!row.is_read && <span className="sr">{t('inbox.unread')}</span>}
        </span>
      ),
      text: messageTitle,
    },
    {
      key: 'type',
      title: t('inbox.type'),
      width: 110,
      cell: (row) => <span className="label">{t(`message_type.${row.type}`)}</span>,
      text: (row) => t(`message_type.${row.type}`),
    },
    {
      key: 'time',
      title: t('inbox.time'),
      sort: 'created_at',
      width: 150,
      cell: (row) => <RelativeTime at={row.created_at} />,
      text: (row) => exactTime(new Date(row.created_at)),
    },
    {
      key: 'link',
      title: t('inbox.open'),
      width: 150,
      extra: true,
      cell: (row) => (row.link ? <ConsoleLink to={row.link} /> : <span className="dim">—</span>),
    },
  ];
}
