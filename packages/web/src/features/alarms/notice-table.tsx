import { useMemo, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { exactTime } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Tag } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { deliveryTones, type Notice } from './subscription.ts';
import './alarms.css';

const states = ['waiting', 'sent', 'failed'] as const;

export function NoticeTable() {
  const [open, setOpen] = useState<Notice | null>(null);
  const columns = useMemo(noticeColumns, []);
  return (
    <>
      <DataTable
        path="/api/v3/alarm_notice/list"
        name="alarm-notices"
        title={t('subscription.tab_sent')}
        columns={columns}
        rowKey={(row) => row.id}
        filters={[
          {
            name: 'state',
            label: t('subscription.state'),
            options: states.map((value) => ({ value, label: t(`subscription.state_${value}`) })),
          },
        ]}
        onOpen={setOpen}
        actions={(row) => <IconButton icon="eye" label={t('subscription.open')} onClick={() => setOpen(row)} />}
        never={
          <Empty icon="mail" title={t('subscription.sent_never')}>
            {t('subscription.sent_never_body')}
          </Empty>
        }
      />
      {open && <NoticeDrawer notice={open} onClose={() => setOpen(null)} />}
    </>
  );
}

function NoticeDrawer({ notice, onClose }: { notice: Notice; onClose: () => void }) {
  const { items, total, attempts } = notice;
  return (
    <Dialog drawer title={notice.subscription} onClose={onClose}>
      <div className="stack">
        <p className="row">
          <Tag tone={deliveryTones[notice.state]}>{t(`subscription.state_${notice.state}`)}</Tag>
          <span>{t(`subscription.channel_${notice.channel}`)}</span>
          <span className="dim">{notice.recipient}</span>
        </p>
        <Trouble notice={notice} />
        <ul className="alarm-list">
          {items.map(({ alarm_id, event, text }) => (
            <li key={`${alarm_id} ${event}`}>
              {alarm_id === null ? (
                text
              ) : (
                <Link to="/alarm" search={{ alarm: alarm_id }}>
                  {text}
                </Link>
              )}
            </li>
          ))}
        </ul>
        {total > items.length && <p className="small dim">{t('subscription.more', { n: total - items.length })}</p>}
        <section>
          <h3 className="section-title">{t('subscription.attempts')}</h3>
          {attempts.length === 0 && <p className="quiet">{t('subscription.attempts_none')}</p>}
          <ol className="alarm-list">
            {attempts.map(({ at, error }) => (
              <li key={at} className="spread">
                <span>{error ?? t('subscription.attempt_ok')}</span>
                <span className="small dim">
                  <ShortTime at={at} />
                </span>
              </li>
            ))}
          </ol>
        </section>
      </div>
    </Dialog>
  );
}

export function Trouble({ notice: { error, next_at } }: { notice: Notice }) {
  if (!error) return null;
  return (
    <div className="small">
      <div>{error}</div>
      {next_at && <div className="dim">{t('subscription.next', { time: exactTime(new Date(next_at)) })}</div>}
    </div>
  );
}

function firstText({ items, total }: Notice): string {
  const text = items[0]?.text ?? '';
  return total > 1 ? `${text} (${t('subscription.more', { n: total - 1 })})` : text;
}

function noticeColumns(): Column<Notice>[] {
  return [
    {
      key: 'created_at',
      title: t('subscription.time'),
      sort: 'created_at',
      width: 150,
      cell: ({ created_at }) => <ShortTime at={created_at} />,
      text: ({ created_at }) => exactTime(new Date(created_at)),
    },
    { key: 'message', title: t('subscription.message'), cell: firstText, text: firstText },
    {
      key: 'subscription',
      title: t('subscription.subscription'),
      cell: ({ subscription }) => subscription,
      text: ({ subscription }) => subscription,
    },
    {
      key: 'channel',
      title: t('subscription.channel'),
      cell: ({ channel }) => t(`subscription.channel_${channel}`),
      text: ({ channel }) => t(`subscription.channel_${channel}`),
    },
    {
      key: 'recipient',
      title: t('subscription.recipient'),
      cell: ({ recipient }) => recipient,
      text: ({ recipient }) => recipient,
    },
    {
      key: 'state',
      title: t('subscription.state'),
      cell: (row) => (
        <div>
          <Tag tone={deliveryTones[row.state]}>{t(`subscription.state_${row.state}`)}</Tag>
          <Trouble notice={row} />
        </div>
      ),
      text: (row) => row.error ?? t(`subscription.state_${row.state}`),
    },
  ];
}
