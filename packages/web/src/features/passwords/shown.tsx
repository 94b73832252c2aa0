import { useQuery } from '@tanstack/react-query';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/empty.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import type { Rule } from './password-rule.ts';
import { wifiCode } from './wifi-code.ts';

/** Each view is logged. */
export function Shown({ rule, seq, onClose }: { rule: Pick<Rule, 'id' | 'ssid'>; seq?: number; onClose: () => void }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['password shown', rule.id, seq],
    queryFn: () => call('/api/v3/ac_password/rule/reveal', { id: rule.id, ...(seq && { seq }) }),
    // not cached or refetched: each request is logged as a view
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return (
    <Dialog
      title={t('password_rule.shown_title', { ssid: rule.ssid })}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{t('action.close')}</Button>
          <Button kind="primary" icon="printer" disabled={!data} onClick={() => print()}>
            {t('password_rule.print')}
          </Button>
        </>
      }
    >
      {error ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <Loading until={data !== undefined} lines={4}>
          {data && (
            <div className="wifi-card">
              <QrCode text={wifiCode(data)} label={t('password_rule.qr', { ssid: data.ssid })} />
              <dl>
                <dt>{t('password_rule.wifi')}</dt>
                <dd>{data.ssid}</dd>
                <dt>{t('password_rule.password')}</dt>
                <dd>
                  <CopyText text={data.password} label={t('password_rule.copy')} />
                </dd>
              </dl>
            </div>
          )}
        </Loading>
      )}
      <p className="small dim no-print">{t('password_rule.logged')}</p>
    </Dialog>
  );
}
