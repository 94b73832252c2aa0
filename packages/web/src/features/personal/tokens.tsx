import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty } from '../../ui/empty.tsx';
import { networksText } from '../../ui/networks-field.tsx';
import { Tag } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { RelativeTime, ShortTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import { TokenDialog } from './token-dialog.tsx';
import { TokenShown } from './token-shown.tsx';

type Token = Row<'/api/v3/security/token/list'>;

function areasOf({ areas }: Token): string {
  return areas ? areas.map((area) => t(`area.${area}`)).join(t('token.between')) : t('token.areas_all');
}
const networksOf = ({ gwids }: Token) => networksText(gwids);

export function Tokens() {
  const client = useQueryClient();
  const columns = useMemo(tokenColumns, []);
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<{ name: string; token: string } | null>(null);
  const again = () => client.invalidateQueries({ queryKey: ['/api/v3/security/token/list'] });
  const revoke = ({ id, name }: Token) =>
    ask({
      title: t('token.revoke_title', { name }),
      body: t('token.revoke_body'),
      confirm: t('token.revoke'),
      danger: true,
      act: async () => {
        await call('/api/v3/security/token/revoke', { id });
        await again();
        notify('ok', t('token.revoked'));
      },
    });
  const create = (
    <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
      {t('token.create')}
    </Button>
  );
  return (
    <>
      <p className="quiet in-text">
        {t('token.about')}{' '}
        <a href="/docs/api" target="_blank" rel="noreferrer">
          {t('token.docs')}
        </a>
      </p>
      <DataTable
        path="/api/v3/security/token/list"
        name="api-tokens"
        title={t('security.tab_tokens')}
        columns={columns}
        rowKey={(row) => row.id}
        actions={(row) => (
          <Button
            kind="quiet"
            className="btn-bad"
            aria-label={t('token.revoke_named', { name: row.name })}
            onClick={() => revoke(row)}
          >
            {t('token.revoke')}
          </Button>
        )}
        never={
          <Empty icon="key" title={t('token.never')} actions={create}>
            {t('token.never_body')}
          </Empty>
        }
        toolbar={create}
      />
      {making && (
        <TokenDialog
          onClose={() => setMaking(false)}
          onMade={(token) => {
            setMaking(false);
            setMade(token);
            void again();
          }}
        />
      )}
      {made && <TokenShown {...made} onClose={() => setMade(null)} />}
    </>
  );
}

function tokenColumns(): Column<Token>[] {
  return [
    { key: 'name', title: t('token.name'), cell: (row) => <strong>{row.name}</strong>, text: (row) => row.name },
    {
      key: 'scope',
      title: t('token.scope'),
      cell: (row) => <Tag tone={row.scope === 'write' ? 'warn' : 'none'}>{t(`token.scope_${row.scope}`)}</Tag>,
      text: (row) => t(`token.scope_${row.scope}`),
    },
    { key: 'areas', title: t('token.areas'), cell: areasOf, text: areasOf },
    { key: 'networks', title: t('pick.networks'), cell: networksOf, text: networksOf },
    {
      key: 'created',
      title: t('token.created'),
      cell: (row) => <ShortTime at={row.created_at} />,
      text: (row) => row.created_at,
    },
    {
      key: 'expires',
      title: t('token.expires'),
      cell: (row) => <ShortTime at={row.expires_at} />,
      text: (row) => row.expires_at,
    },
    {
      key: 'used',
      title: t('token.used'),
      cell: (row) =>
        row.last_used_at ? (
          <span className="nowrap">
            <RelativeTime at={row.last_used_at} /> <span className="mono dim">{row.last_ip}</span>
          </span>
        ) : (
          <span className="dim">{t('token.never_used')}</span>
        ),
      text: (row) => row.last_used_at,
    },
  ];
}
