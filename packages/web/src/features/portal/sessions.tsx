import { methodKinds } from '@yunxun/portal/method-names';
import { useMemo, useState } from 'react';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { type MessageKey, t } from '../../app/i18n.ts';
import { methodName } from '../../app/method-name.ts';
import { useMay, useUser } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Tag } from '../../ui/status.tsx';
import type { Column, Filter } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { deviceColumns, trafficColumns } from './guest-columns.tsx';
import { PersonDialog } from './person-dialog.tsx';

const path = '/api/v3/portal/session/list';
type Session = Row<typeof path>;

/** Ends that the console names; others are the gateway's own words. */
const ends: ReadonlySet<string> = new Set([
  'expired',
  'replaced',
  'kicked',
  'gateway',
  'gateway_restarted',
  'data_used',
  'not_seen',
  'site_off',
  'moved',
  'signed_out',
] as const);

const endOf = (reason: string) => (ends.has(reason) ? t(`site_portal.ended_${reason}` as MessageKey) : reason);

export function Sessions({ gwid }: { gwid: string }) {
  const may = useMay('user.write');
  // the data of one guest is that of all networks
  const { gwids } = useUser();
  const [open, setOpen] = useState(false);
  const fixed = useMemo(() => ({ gwid }), [gwid]);
  const columns = useMemo(() => sessionColumns(gwid, may), [gwid, may]);
  const filters = useMemo(() => sessionFilters(), []);
  return (
    <>
      <DataTable
        path={path}
        fixed={fixed}
        name="portal-sessions"
        title={t('site_portal.tab_sessions')}
        columns={columns}
        filters={filters}
        rowKey={(row) => row.id}
        searchHint={t('site_portal.sessions_search')}
        never={<Empty icon="users" title={t('site_portal.sessions_empty')} />}
        toolbar={may && !gwids && <Button onClick={() => setOpen(true)}>{t('site_portal.person')}</Button>}
      />
      {open && <PersonDialog onClose={() => setOpen(false)} />}
    </>
  );
}

/** Shows the whole number on request; the log records it. */
function Identity({ gwid, session, may }: { gwid: string; session: Session; may: boolean }) {
  const [whole, setWhole] = useState<string | null>(null);
  const reveal = () =>
    call('/api/v3/portal/session/reveal', { gwid, id: session.id })
      .then(({ identity }) => setWhole(identity))
      .catch(notifyError);
  return (
    <span className="row nowrap">
      <span>{whole ?? session.identity}</span>
      {may && session.masked && whole === null && (
        <Button kind="link" title={t('site_portal.reveal_hint')} onClick={() => void reveal()}>
          {t('site_portal.reveal')}
        </Button>
      )}
    </span>
  );
}

const termsName = ({ version, locale }: NonNullable<Session['terms']>) =>
  t('site_portal.terms_version', { version, language: t(`site_portal.terms_${locale}`) });

/** Opens the text as the guest saw it. */
function Terms({ gwid, id, ...terms }: NonNullable<Session['terms']> & { gwid: string; id: string }) {
  const [text, setText] = useState<string | null>(null);
  const open = () =>
    call('/api/v3/portal/session/terms', { gwid, id })
      .then((answer) => setText(answer.terms?.text ?? null))
      .catch(notifyError);
  return (
    <>
      <Button kind="link" onClick={() => void open()}>
        {termsName(terms)}
      </Button>
      {text !== null && (
        <Dialog title={t('site_portal.terms_title')} onClose={() => setText(null)}>
          <p className="small dim">{termsName(terms)}</p>
          <p lang={terms.locale} className="portal-terms">
            {text}
          </p>
        </Dialog>
      )}
    </>
  );
}

export function sessionFilters(): Filter[] {
  return [
    {
      name: 'state',
      label: t('site_portal.session_state'),
      options: (['online', 'ended'] as const).map((value) => ({ value, label: t(`site_portal.state_${value}`) })),
    },
    {
      name: 'method',
      label: t('site_portal.guest_method'),
      options: methodKinds().map((value) => ({ value, label: methodName(value) })),
    },
  ];
}

function sessionColumns(gwid: string, may: boolean): Column<Session>[] {
  return [
    ...deviceColumns(),
    {
      key: 'ip',
      title: t('site_portal.guest_ip'),
      cell: (row) => row.ip && <span className="mono">{row.ip}</span>,
      text: (row) => row.ip,
    },
    {
      key: 'identity',
      title: t('site_portal.guest_identity'),
      cell: (row) => <Identity gwid={gwid} session={row} may={may} />,
      text: (row) => row.identity,
    },
    {
      key: 'granted_at',
      title: t('site_portal.guest_since'),
      sort: 'granted_at',
      cell: (row) => <ShortTime at={row.granted_at} />,
      text: (row) => row.granted_at,
    },
    {
      key: 'ended_at',
      title: t('site_portal.session_ended'),
      sort: 'ended_at',
      cell: (row) =>
        row.state === 'online' ? <Tag tone="ok">{t('site_portal.state_online')}</Tag> : <ShortTime at={row.ended_at} />,
      text: (row) => row.ended_at,
    },
    {
      key: 'end_reason',
      title: t('site_portal.session_reason'),
      cell: (row) => row.end_reason !== null && endOf(row.end_reason),
      text: (row) => row.end_reason && endOf(row.end_reason),
    },
    {
      key: 'terms',
      title: t('site_portal.session_terms'),
      cell: (row) => row.terms && <Terms gwid={gwid} id={row.id} {...row.terms} />,
      text: (row) => row.terms && termsName(row.terms),
    },
    ...trafficColumns(),
  ];
}
