import { useMemo, useState } from 'react';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import { Empty } from '../../ui/empty.tsx';
import { duration } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { operatorName } from '../../ui/operator.ts';
import { Tag } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime, useNow } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import { LinkDialog, refreshLinks } from './link-dialog.tsx';
import { refreshSessions } from './remote-session.ts';

type LinkRow = Row<'/api/v3/remote/link/list'>;

export function Links() {
  const [isMaking, setMaking] = useState(false);
  const columns = useMemo(columnsOf, []);
  const create = (
    <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
      {t('remote.link_create')}
    </Button>
  );
  return (
    <>
      <DataTable
        path="/api/v3/remote/link/list"
        name="remote-links"
        title={t('remote.tab_links')}
        columns={columns}
        rowKey={(row) => row.id}
        searchHint={t('remote.link_search_hint')}
        actions={(row: LinkRow) => <Actions link={row} />}
        never={
          <Empty icon="link" title={t('remote.link_never')} actions={create}>
            {t('remote.link_about')}
          </Empty>
        }
        toolbar={create}
      />
      {isMaking && <LinkDialog onClose={() => setMaking(false)} />}
    </>
  );
}

function Actions({ link }: { link: LinkRow }) {
  if (link.state !== 'open' && !link.active) return null;
  const { guest: name } = link;
  const revoke = async () => {
    await call('/api/v3/remote/link/revoke', { id: link.id });
    await Promise.all([refreshLinks(), refreshSessions()]);
    notify('ok', t('remote.link_revoked', { name }));
  };
  const question = t(link.active ? 'remote.link_revoke_active' : 'remote.link_revoke_ask', { name });
  return (
    <span className="row nowrap acts-foot">
      <ConfirmPopover question={question} confirm={t('remote.link_revoke')} act={revoke}>
        {(trigger) => (
          <Button kind="quiet" className="btn-bad" aria-label={t('remote.link_revoke_named', { name })} {...trigger}>
            {t('remote.link_revoke')}
          </Button>
        )}
      </ConfirmPopover>
    </span>
  );
}

function TimeLeft({ until }: { until: string }) {
  const seconds = (Date.parse(until) - useNow()) / 1000;
  return <div className="small dim">{t('remote.left', { time: duration(seconds) })}</div>;
}

const looks = {
  open: ['info', 'turn'],
  used: ['none', 'check'],
  expired: ['none', 'cross'],
  revoked: ['none', 'cross'],
} as const;

function columnsOf(): Column<LinkRow>[] {
  return [
    {
      key: 'state',
      title: t('remote.state'),
      cell: ({ state }) => (
        <Tag tone={looks[state][0]} shape={looks[state][1]}>
          {t(`remote.link_state_${state}`)}
        </Tag>
      ),
      text: ({ state }) => t(`remote.link_state_${state}`),
    },
    {
      key: 'guest',
      title: t('remote.guest'),
      lead: true,
      cell: ({ guest }) => <strong>{guest}</strong>,
      text: ({ guest }) => guest,
      inFiles: true,
    },
    {
      key: 'target',
      title: t('remote.target'),
      cell: ({ target, network }) => (
        <div>
          {target}
          <div className="small dim">{network}</div>
        </div>
      ),
      text: ({ target }) => target,
    },
    {
      key: 'kind',
      title: t('remote.kind'),
      cell: ({ kind }) => t(`remote.kind_${kind}`),
      text: ({ kind }) => t(`remote.kind_${kind}`),
    },
    { key: 'purpose', title: t('remote.purpose'), cell: ({ purpose }) => purpose, text: ({ purpose }) => purpose },
    {
      key: 'user',
      title: t('remote.link_by'),
      cell: ({ user }) => operatorName(user),
      text: ({ user }) => operatorName(user),
    },
    {
      key: 'created',
      title: t('remote.link_at'),
      wide: true,
      sort: 'created_at',
      cell: (row) => <ShortTime at={row.created_at} />,
      text: (row) => row.created_at,
    },
    {
      key: 'until',
      title: t('remote.link_until'),
      sort: 'until',
      cell: ({ until, state }) => (
        <div>
          <ShortTime at={until} />
          {state === 'open' && <TimeLeft until={until} />}
        </div>
      ),
      text: ({ until }) => until,
    },
    {
      key: 'opened',
      title: t('remote.link_opened'),
      cell: ({ opened_at: at, guest: keyword }) => (
        <div>
          <ShortTime at={at} />
          {at !== null && (
            <div className="small">
              <Link to="/remote" search={{ keyword }}>
                {t('remote.link_sessions')}
              </Link>
            </div>
          )}
        </div>
      ),
      text: (row) => row.opened_at,
    },
  ];
}
