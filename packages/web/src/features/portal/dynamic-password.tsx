import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Failed } from '../../ui/empty.tsx';
import { exactTime } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { notifyError } from '../../ui/toast.tsx';

/** Nothing where the network's page has no such method. */
export function DynamicPassword({ gwid }: { gwid: string }) {
  const may = useMay('voucher.write');
  const { data, error, refetch } = useRead('/api/v3/portal/dynamic_password', { gwid });
  const [shown, setShown] = useState<{ password: string; until: string } | null>(null);
  if (error) return <Failed error={error} retry={() => void refetch()} small />;
  if (!data?.every || data.until === null) return null;
  const show = () => call('/api/v3/portal/dynamic_password/reveal', { gwid }).then(setShown).catch(notifyError);
  const until = shown?.until ?? data.until;
  return (
    <Card title={t('site_portal.dynamic')}>
      <div className="stack stack-s">
        <p className="small dim">
          {t(`site_portal.dynamic_${data.every}`, { at: exactTime(new Date(until)).slice(0, 16) })}
        </p>
        {shown ? (
          <CopyText text={shown.password} label={t('site_portal.dynamic_copy')} />
        ) : (
          may && (
            <div className="row">
              <Button onClick={() => void show()}>{t('site_portal.dynamic_show')}</Button>
              <span className="small dim">{t('site_portal.dynamic_logged')}</span>
            </div>
          )
        )}
      </div>
    </Card>
  );
}
