import { useQuery } from '@tanstack/react-query';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { currentFingerprint, endSubscription } from '../../app/push-browser.ts';
import { queryClient } from '../../app/session.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import { Failed } from '../../ui/empty.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import { roles } from '../../ui/table/roles.ts';
import { ShortTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import { BrowserForm } from './browser-form.tsx';
import { refreshSubscriptions } from './subscription.ts';

type Browser = Data<'/api/v3/alarm_browser/list'>['list'][number];

const currentKey = ['push-browser'] as const;

async function refreshBrowsers(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['/api/v3/alarm_browser/list'] }),
    queryClient.invalidateQueries({ queryKey: currentKey }),
    // members with a browser
    refreshSubscriptions(),
  ]);
}

/** Browsers that show alarms to the person; adds this one. */
export function Browsers() {
  const { data, error, refetch } = useRead('/api/v3/alarm_browser/list', {});
  const current = useQuery({ queryKey: currentKey, queryFn: currentFingerprint });
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />;
  const isKnown = data?.list.some(({ fingerprint }) => fingerprint === current.data) ?? false;
  return (
    <section className="card">
      <Loading until={data !== undefined && !current.isPending} lines={5}>
        <div className="card-pad stack">
          <p className="quiet in-text">{t('browser.intro')}</p>
          {data && !isKnown && <BrowserForm publicKey={data.public_key} onAdded={refreshBrowsers} />}
          {data && data.list.length > 0 && <BrowserTable list={data.list} current={current.data ?? null} />}
        </div>
      </Loading>
    </section>
  );
}

function BrowserTable({ list, current }: { list: readonly Browser[]; current: string | null }) {
  return (
    <table role={roles.table} className="plain-table phone-cards">
      <thead role={roles.rows}>
        <tr role={roles.row}>
          <th role={roles.column}>{t('browser.name')}</th>
          <th role={roles.column}>{t('browser.added')}</th>
          <th role={roles.column}>{t('browser.last')}</th>
          <th role={roles.column}>
            <span className="sr">{t('browser.remove')}</span>
          </th>
        </tr>
      </thead>
      <tbody role={roles.rows}>
        {list.map((one) => (
          <Row key={one.id} one={one} isCurrent={one.fingerprint === current} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ one, isCurrent }: { one: Browser; isCurrent: boolean }) {
  const { id, name, created_at, last } = one;
  const remove = async () => {
    await call('/api/v3/alarm_browser/delete', { id });
    if (isCurrent) await endSubscription();
    notify('ok', t('browser.removed', { name }));
    await refreshBrowsers();
  };
  return (
    <tr role={roles.row}>
      <td role={roles.cell}>
        <span className="row">
          <strong>{name}</strong>
          {isCurrent && <Tag tone="brand">{t('browser.current')}</Tag>}
        </span>
      </td>
      <td role={roles.cell} data-label={t('browser.added')}>
        <ShortTime at={created_at} />
      </td>
      <td role={roles.cell} data-label={t('browser.last')}>
        {last ? (
          <>
            <span className="row">
              <Tag tone={last.error === null ? 'ok' : 'bad'}>
                {t(last.error === null ? 'subscription.state_sent' : 'subscription.state_failed')}
              </Tag>
              <ShortTime at={last.at} />
            </span>
            {last.error && <div className="small">{last.error}</div>}
          </>
        ) : (
          <span className="dim">{t('subscription.last_none')}</span>
        )}
      </td>
      <td role={roles.cell} className="right">
        <ConfirmPopover question={t('browser.remove_question')} confirm={t('browser.remove')} act={remove}>
          {(trigger) => (
            <Button kind="quiet" className="btn-bad" aria-label={t('browser.remove_named', { name })} {...trigger}>
              {t('browser.remove')}
            </Button>
          )}
        </ConfirmPopover>
      </td>
    </tr>
  );
}
