import { useEffect, useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/empty.tsx';
import { Tag } from '../../ui/status.tsx';
import { deliveryTones, recipientText, refreshSubscriptions, type Subscription } from './subscription.ts';
import './alarms.css';

/** Milliseconds between reads of the result. */
const lookMs = 1500;
/** Recipients that one test shows. */
const maxShown = 200;

export function TestDialog({ subscription, onClose }: { subscription: Subscription; onClose: () => void }) {
  const { id, name } = subscription;
  const [batch, setBatch] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const result = useRead(
    '/api/v3/alarm_notice/list',
    { page: 1, limit: maxShown, ...(batch ? { batch_id: batch } : {}) },
    { enabled: batch !== null, refetchMs: lookMs },
  );
  const list = batch === null ? [] : (result.data?.list ?? []);
  const isWaiting =
    busy || (batch !== null && (!result.data || list.some(({ state, error: why }) => state === 'waiting' && !why)));
  const send = async () => {
    setBusy(true);
    setError(null);
    try {
      setBatch((await call('/api/v3/alarm_subscription/test', { id })).batch_id);
    } catch (caught) {
      setError(caught);
    }
    setBusy(false);
  };
  useEffect(() => () => void refreshSubscriptions(), []);
  return (
    <Dialog
      title={t('subscription.test_title', { name })}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{t('action.close')}</Button>
          <Button kind="primary" icon="mail" busy={isWaiting} onClick={() => void send()}>
            {t('subscription.test')}
          </Button>
        </>
      }
    >
      {error !== null && <Failed error={error} retry={() => void send()} small />}
      <div className="stack" aria-live="polite">
        {isWaiting && <p className="quiet">{t('subscription.test_waits')}</p>}
        {batch === null && !isWaiting && <p className="quiet">{recipientText(subscription)}</p>}
        <ul className="alarm-list">
          {list.map(({ id: key, channel, recipient, state, error: why }) => (
            <li key={key}>
              <div className="spread">
                <span>
                  {t(`subscription.channel_${channel}`)} <span className="dim">{recipient}</span>
                </span>
                <Tag tone={deliveryTones[state]}>{t(`subscription.state_${state}`)}</Tag>
              </div>
              {why && <div className="small">{why}</div>}
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
