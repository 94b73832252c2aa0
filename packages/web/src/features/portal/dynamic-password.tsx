import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Failed } from '../../ui/empty.tsx';
import { minuteTime } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { useNow } from '../../ui/time.tsx';
import { notifyError } from '../../ui/toast.tsx';

const refetchMs = 60_000;

export function DynamicPassword({ gwid }: { gwid: string }) {
  const may = useMay('voucher.write');
  const { data, error, refetch } = useRead('/api/v3/portal/dynamic_password', { gwid }, { refetchMs });
  const now = useNow();
  const [revealed, reveal] = useState<{ password: string; until: string } | null>(null);
  if (error) return <Failed error={error} retry={() => void refetch()} small />;
  if (!data?.every || data.until === null) return null;
  const show = () => call('/api/v3/portal/dynamic_password/reveal', { gwid }).then(reveal).catch(notifyError);
  const shown = revealed && Date.parse(revealed.until) > now ? revealed : null;
  const until = new Date(shown?.until ?? data.until);
  return (
    <Card title={t('site_portal.dynamic')}>
      <div className="stack stack-s">
        <p className="small dim">{t(`site_portal.dynamic_${data.every}`, { at: minuteTime(until) })}</p>
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
