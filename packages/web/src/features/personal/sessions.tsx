import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t, textOf } from '../../app/i18n.ts';
import { browserLabels } from '../../ui/browser-labels.ts';
import { browserName } from '../../ui/browser-name.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Tag } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { RelativeTime, ShortTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';

type Session = Row<'/api/v3/security/session/list'>;
const phones = new Set(['iPhone', 'Android', 'HarmonyOS', 'iPad']);

function deviceOf({ user_agent }: Session): { words: string; icon: IconName } {
  const { browser, system } = browserName(user_agent ?? '');
  const icon = system && phones.has(system) ? 'phone' : browser ? 'monitor' : 'server';
  return { words: user_agent ? browserLabels(user_agent) : t('session.unknown'), icon };
}

export function Sessions() {
  const client = useQueryClient();
  const columns = useMemo(sessionColumns, []);
  const again = () => client.invalidateQueries({ queryKey: ['/api/v3/security/session/list'] });
  const endOthers = () =>
    ask({
      title: t('session.end_others_title'),
      body: t('session.end_others_body'),
      confirm: t('session.end_others'),
      danger: true,
      act: async () => {
        const { ended } = await call('/api/v3/security/session/end_others', {});
        await again();
        notify('ok', t('session.others_ended', { n: ended }));
      },
    });
  return (
    <DataTable
      path="/api/v3/security/session/list"
      name="sessions"
      title={t('security.tab_sessions')}
      columns={columns}
      rowKey={(row) => row.id}
      actions={(row) =>
        row.current ? null : (
          <ConfirmPopover
            question={t('session.end_question')}
            confirm={t('session.end')}
            act={async () => {
              await call('/api/v3/security/session/end', { id: row.id });
              await again();
              notify('ok', t('session.ended'));
            }}
          >
            {(trigger) => (
              <Button
                kind="quiet"
                className="btn-bad"
                aria-label={t('session.end_named', { name: deviceOf(row).words })}
                {...trigger}
              >
                {t('session.end')}
              </Button>
            )}
          </ConfirmPopover>
        )
      }
      never={<Empty icon="login" title={t('session.never')} />}
      toolbar={
        <Button className="btn-bad" icon="logout" onClick={endOthers}>
          {t('session.end_others')}
        </Button>
      }
    />
  );
}

function sessionColumns(): Column<Session>[] {
  return [
    {
      key: 'device',
      title: t('session.device'),
      cell: (row) => {
        const { words, icon } = deviceOf(row);
        return (
          <span className="row" title={row.user_agent ?? undefined}>
            <Icon name={icon} size={16} />
            {words}
            {row.current && <Tag tone="brand">{t('session.current')}</Tag>}
          </span>
        );
      },
      text: (row) => deviceOf(row).words,
    },
    {
      key: 'ip',
      title: t('session.ip'),
      cell: (row) => <span className="mono">{row.ip ?? '—'}</span>,
      text: (row) => row.ip,
    },
    {
      key: 'method',
      title: t('session.method'),
      cell: (row) => textOf(`auth_method.${row.method}`) ?? row.method,
      text: (row) => textOf(`auth_method.${row.method}`) ?? row.method,
    },
    {
      key: 'active',
      title: t('session.active'),
      cell: (row) => <RelativeTime at={row.last_active_at} />,
      text: (row) => row.last_active_at,
    },
    {
      key: 'since',
      title: t('session.since'),
      cell: (row) => <ShortTime at={row.created_at} />,
      text: (row) => row.created_at,
    },
    {
      key: 'expires',
      title: t('session.expires'),
      cell: (row) => <ShortTime at={row.expires_at} />,
      text: (row) => row.expires_at,
    },
  ];
}
