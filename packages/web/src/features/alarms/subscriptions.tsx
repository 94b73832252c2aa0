import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import { roles } from '../../ui/table/roles.ts';
import { ShortTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import {
  deliveryTones,
  recipientText,
  refreshSubscriptions,
  type Subscription,
  whatText,
  whenText,
} from './subscription.ts';
import { SubscriptionDialog } from './subscription-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';

type Open = { as: 'edit' | 'test'; subscription: Subscription } | { as: 'new' };

export function Subscriptions() {
  const { data, error, refetch } = useRead('/api/v3/alarm_subscription/list', {});
  const may = useMay('message.write');
  const [open, setOpen] = useState<Open | null>(null);
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />;
  const create = may && (
    <Button kind="primary" icon="plus" onClick={() => setOpen({ as: 'new' })}>
      {t('subscription.create')}
    </Button>
  );
  const close = () => setOpen(null);
  return (
    <section className="card">
      <Loading until={data !== undefined} lines={5}>
        {data?.list.length === 0 ? (
          <Empty icon="bell" title={t('subscription.never')} actions={create}>
            {t('subscription.never_body')}
          </Empty>
        ) : (
          <div className="card-pad stack">
            {create && <div>{create}</div>}
            <table role={roles.table} className="plain-table phone-cards">
              <thead role={roles.rows}>
                <tr role={roles.row}>
                  {(['name', 'what', 'who', 'when', 'last'] as const).map((key) => (
                    <th role={roles.column} key={key}>
                      {t(`subscription.${key}`)}
                    </th>
                  ))}
                  {may && (
                    <th role={roles.column}>
                      <span className="sr">{t('action.edit')}</span>
                    </th>
                  )}
                </tr>
              </thead>
              <tbody role={roles.rows}>
                {data?.list.map((one) => (
                  <Line key={one.id} one={one} may={may} open={(as) => setOpen({ as, subscription: one })} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Loading>
      {open?.as === 'new' && <SubscriptionDialog zone={data?.time_zone ?? ''} subscription={null} onClose={close} />}
      {open?.as === 'edit' && (
        <SubscriptionDialog zone={data?.time_zone ?? ''} subscription={open.subscription} onClose={close} />
      )}
      {open?.as === 'test' && <TestDialog subscription={open.subscription} onClose={close} />}
    </section>
  );
}

function Line({ one, may, open }: { one: Subscription; may: boolean; open: (as: 'edit' | 'test') => void }) {
  const { id, name, last } = one;
  const remove = () =>
    ask({
      title: t('subscription.delete_title', { name }),
      body: t('subscription.delete_body'),
      confirm: t('subscription.delete'),
      danger: true,
      act: async () => {
        await call('/api/v3/alarm_subscription/delete', { id });
        notify('ok', t('subscription.deleted'));
        await refreshSubscriptions();
      },
    });
  const label = t('subscription.acts', { name });
  return (
    <tr role={roles.row}>
      <td role={roles.cell}>
        <strong>{name}</strong> {!one.enabled && <Tag tone="none">{t('subscription.off')}</Tag>}
      </td>
      <td role={roles.cell} data-label={t('subscription.what')}>
        {whatText(one)}
      </td>
      <td role={roles.cell} data-label={t('subscription.who')}>
        {recipientText(one)}
      </td>
      <td role={roles.cell} data-label={t('subscription.when')}>
        {whenText(one)}
      </td>
      <td role={roles.cell} data-label={t('subscription.last')}>
        {last ? (
          <span className="row">
            <Tag tone={deliveryTones[last.state]}>{t(`subscription.state_${last.state}`)}</Tag>
            {last.sent < last.recipients && last.recipients > 1 && (
              <span className="small dim nowrap">
                {t('subscription.last_part', { sent: last.sent, n: last.recipients })}
              </span>
            )}
            <ShortTime at={last.at} />
          </span>
        ) : (
          <span className="dim">{t('subscription.last_none')}</span>
        )}
      </td>
      {may && (
        <td role={roles.cell} className="right cell-acts">
          <span className="row nowrap">
            <IconButton icon="edit" label={t('subscription.edit', { name })} onClick={() => open('edit')} />
            <Menu
              label={label}
              target={(trigger) => <IconButton icon="more" label={label} {...trigger} />}
              items={[
                { label: t('subscription.test'), icon: 'mail', act: () => open('test') },
                { label: t('subscription.delete'), icon: 'trash', danger: true, act: remove },
              ]}
            />
          </span>
        </td>
      )}
    </tr>
  );
}
