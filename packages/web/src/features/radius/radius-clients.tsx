import { useEffect, useMemo, useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty } from '../../ui/empty.tsx';
import { shortTime } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { Tag } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import { ClientDialog } from './client-dialog.tsx';
import { type MadeSecret, type RadiusClient, refreshClients } from './radius-client.ts';
import { SecretShown } from './secret-shown.tsx';

/** Milliseconds between reads of what clients did. */
const refreshEvery = 10_000;

export function RadiusClients() {
  const may = useMay('config.write');
  const [edited, setEdited] = useState<RadiusClient | 'new' | null>(null);
  const [made, setMade] = useState<MadeSecret | null>(null);
  const columns = useMemo(columnsOf, []);
  useEffect(() => {
    const timer = setInterval(() => void refreshClients(), refreshEvery);
    return () => clearInterval(timer);
  }, []);
  const create = may && (
    <Button kind="primary" icon="plus" onClick={() => setEdited('new')}>
      {t('radius.create')}
    </Button>
  );
  return (
    <Page title={t('config.radius')}>
      <ServerAddress />
      <DataTable
        path="/api/v3/radius/nas/list"
        name="radius-clients"
        title={t('config.radius')}
        columns={columns}
        rowKey={(row) => row.id}
        searchHint={t('radius.search')}
        {...(may
          ? { actions: (row: RadiusClient) => <Actions client={row} onEdit={setEdited} onMade={setMade} /> }
          : {})}
        never={
          <Empty icon="key" title={t('radius.never')} actions={create}>
            {t('radius.never_body')}
          </Empty>
        }
        toolbar={create}
      />
      {edited && (
        <ClientDialog client={edited === 'new' ? null : edited} onClose={() => setEdited(null)} onMade={setMade} />
      )}
      {made && <SecretShown made={made} onClose={() => setMade(null)} />}
    </Page>
  );
}

function ServerAddress() {
  const { data } = useRead('/api/v3/radius/server', {});
  if (!data) return null;
  const { host, auth_port: auth, acct_port: acct } = data;
  return (
    <p className="quiet">
      {auth !== null && acct !== null ? t('radius.server', { host, auth, acct }) : t('radius.server_off')}
    </p>
  );
}

interface ActionsProps {
  client: RadiusClient;
  onEdit: (client: RadiusClient) => void;
  onMade: (made: MadeSecret) => void;
}

function Actions({ client, onEdit, onMade }: ActionsProps) {
  const { id, name } = client;
  const rotate = () =>
    ask({
      title: t('radius.rotate_title', { name }),
      body: t('radius.rotate_body'),
      confirm: t('radius.rotate'),
      act: async () => {
        const { secret } = await call('/api/v3/radius/nas/rotate_secret', { id });
        onMade({ name, secret });
        await refreshClients();
      },
    });
  const remove = () =>
    ask({
      title: t('radius.delete_title', { name }),
      body: t('radius.delete_body'),
      confirm: t('radius.delete'),
      danger: true,
      act: async () => {
        await call('/api/v3/radius/nas/delete', { id });
        await refreshClients();
        notify('ok', t('radius.deleted', { name }));
      },
    });
  if (client.managed) return <Tag tone="none">{t('radius.managed')}</Tag>;
  const label = t('radius.acts', { name });
  return (
    <Menu
      label={label}
      target={(trigger) => <IconButton icon="more" label={label} {...trigger} />}
      items={[
        { label: t('radius.edit'), icon: 'edit', act: () => onEdit(client) },
        { label: t('radius.rotate'), icon: 'refresh', act: rotate },
        { label: t('radius.delete'), icon: 'trash', danger: true, act: remove },
      ]}
    />
  );
}

function unprovenText({ lapses_at: lapses }: RadiusClient): string {
  const at = new Date(lapses!);
  return at <= new Date() ? t('radius.proof_lapsed') : t('radius.proof_open', { time: shortTime(at) });
}

const proofText = (row: RadiusClient): string => (row.proven_at ? t('radius.proven') : unprovenText(row));

function Proof({ client }: { client: RadiusClient }) {
  return (
    <span>
      {client.proven_at ? <Tag tone="ok">{t('radius.proven')}</Tag> : <Tag tone="warn">{t('radius.unproven')}</Tag>}
      <br />
      <span className="small dim">
        {client.proven_at ? <RelativeTime at={client.proven_at} /> : unprovenText(client)}
      </span>
    </span>
  );
}

function Finding({ text, at }: { text: string | null; at: string | null }) {
  if (text === null) return <span className="dim">—</span>;
  return (
    <span>
      <Tag tone="warn">{text}</Tag>
      <br />
      <span className="small dim">
        <RelativeTime at={at} />
      </span>
    </span>
  );
}

const placeOf = ({ source, identifier }: RadiusClient): string => [source, identifier].filter(Boolean).join(' · ');

function columnsOf(): Column<RadiusClient>[] {
  return [
    {
      key: 'name',
      title: t('radius.name'),
      sort: 'name',
      cell: (row) => <strong>{row.name}</strong>,
      text: (row) => row.name,
    },
    { key: 'network', title: t('radius.network'), cell: (row) => row.network, text: (row) => row.network },
    { key: 'place', title: t('radius.place'), cell: placeOf, text: placeOf },
    {
      key: 'seen',
      title: t('radius.seen'),
      sort: 'seen_at',
      cell: (row) => <RelativeTime at={row.seen_at} />,
      text: (row) => row.seen_at,
    },
    {
      key: 'refusal',
      title: t('radius.refusal'),
      cell: (row) => <Finding text={row.refusal && t(`radius.refusal_${row.refusal}`)} at={row.refused_at} />,
      text: (row) => (row.refusal ? t(`radius.refusal_${row.refusal}`) : null),
    },
    {
      key: 'oddity',
      title: t('radius.oddity'),
      cell: (row) => <Finding text={row.oddity && t(`radius.oddity_${row.oddity}`)} at={row.odd_at} />,
      text: (row) => (row.oddity ? t(`radius.oddity_${row.oddity}`) : null),
    },
    {
      key: 'proof',
      title: t('radius.proof'),
      cell: (row) => <Proof client={row} />,
      text: (row) => proofText(row),
    },
    {
      key: 'signature',
      title: t('radius.signature'),
      extra: true,
      cell: (row) => t(row.require_ma ? 'radius.signature_required' : 'radius.signature_optional'),
      text: (row) => t(row.require_ma ? 'radius.signature_required' : 'radius.signature_optional'),
    },
    ...(['accepted', 'rejected', 'accounted'] as const).map(
      (key): Column<RadiusClient> => ({
        key,
        title: t(`radius.${key}`),
        cell: (row) => row[key].toLocaleString(),
        text: (row) => String(row[key]),
      }),
    ),
  ];
}
