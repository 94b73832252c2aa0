import { useNavigate } from '@tanstack/react-router';
import type { Input } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import { notify } from '../../ui/toast.tsx';
import { bandText, dayText } from './labels.tsx';
import { priceText } from './order-row.ts';
import { refreshSdwan } from './refresh.ts';
import './sdwan.css';

export function SdwanPackageScreen() {
  const navigate = useNavigate();
  const may = useMay('account.write');
  const { data, error, refetch } = useRead('/api/v3/sdwan/package/list', {});
  const { data: status } = useRead('/api/v3/sdwan/status', {});
  const order = (input: Input<'/api/v3/sdwan/order/create'>, name: string, price: string) =>
    ask({
      title: t('sdwan.order_title', { name }),
      body: t('sdwan.order_body', { price }),
      confirm: t('sdwan.order'),
      act: async () => {
        const { status: state } = await call('/api/v3/sdwan/order/create', input);
        notify('ok', t(`sdwan.ordered_${state}`));
        await refreshSdwan();
        await navigate({ to: '/sdwan/order' as never });
      },
    });
  const why = may ? undefined : t('sdwan.why_spend');
  return (
    <Page title={t('home.sdwan_package')}>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : data ? (
        <>
          <p className="notice">{t('sdwan.package_note')}</p>
          <div className="sdwan-cards">
            <Card title={t('sdwan.trial')}>
              <div className="stack">
                <span className="figure">{t('sdwan.free')}</span>
                <p className="quiet">{t('sdwan.trial_terms', { nodes: data.trial.nodes, days: data.trial.days })}</p>
                <Button
                  why={data.trial.available ? why : t('sdwan.trial_used')}
                  onClick={() => order({ kind: 'trial' }, t('sdwan.trial'), t('sdwan.free'))}
                >
                  {t('sdwan.trial_start')}
                </Button>
              </div>
            </Card>
            {data.list.map((one) => {
              const isCurrent = status?.package_id === one.id;
              const price = priceText(one.price_fen);
              return (
                <Card
                  key={one.id}
                  title={one.name}
                  actions={isCurrent && <Tag tone="brand">{t('sdwan.package_current')}</Tag>}
                >
                  <div className="stack">
                    <span className="figure">{price}</span>
                    <dl className="facts">
                      <dt>{t('sdwan.nodes')}</dt>
                      <dd>{one.nodes}</dd>
                      <dt>{t('sdwan.widthband')}</dt>
                      <dd>{bandText(one.widthband)}</dd>
                      <dt>{t('sdwan.foreign_widthband')}</dt>
                      <dd>{one.foreign_widthband === 0 ? '—' : bandText(one.foreign_widthband)}</dd>
                      <dt>{t('sdwan.period')}</dt>
                      <dd>{t('sdwan.months', { n: one.months })}</dd>
                      {isCurrent && (
                        <>
                          <dt>{t('sdwan.validity')}</dt>
                          <dd>{dayText(status.expire_at)}</dd>
                        </>
                      )}
                    </dl>
                    <Button
                      kind="primary"
                      why={why}
                      onClick={() =>
                        order(
                          isCurrent ? { kind: 'renewal' } : { kind: 'package', package_id: one.id },
                          one.name,
                          price,
                        )
                      }
                    >
                      {t(isCurrent ? 'sdwan.renew' : 'sdwan.order')}
                    </Button>
                  </div>
                </Card>
              );
            })}
          </div>
          {data.list.length === 0 && (
            <Card>
              <Empty icon="box" title={t('sdwan.package_none')}>
                {t('sdwan.package_none_body')}
              </Empty>
            </Card>
          )}
        </>
      ) : (
        <Skeleton height={220} />
      )}
    </Page>
  );
}
