import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { ResumeDialog } from './resume-dialog.tsx';
import { ReverseDialog } from './reverse-dialog.tsx';
import { type ChangeDetail, taken } from './template-change.ts';

export function PushActions({ change }: { change: ChangeDetail }) {
  const may = useMay('config.write');
  const [asking, setAsking] = useState<'resume' | 'reverse' | null>(null);
  if (!may) return null;
  const { id: change_id, sums, open, reversed } = change;
  const bad = change.devices.filter(({ cause, status }) => cause !== 'reverse' && badly.includes(status)).length;
  const left = change.devices.some(({ cause, status }) => cause !== 'reverse' && status === 'cancelled');
  const close = () => setAsking(null);
  return (
    <div className="row">
      {open && sums.queued > 0 && (
        <Button
          icon="pause"
          onClick={() =>
            ask({
              title: t('change.stop_title'),
              body: t('change.stop_body', { n: sums.queued + sums.waiting_offline }),
              confirm: t('change.stop'),
              act: () => taken(call('/api/v3/wireless_template/change/stop', { change_id }), t('change.stopping')),
            })
          }
        >
          {t('change.stop')}
        </Button>
      )}
      {!reversed && bad > 0 && (
        <Button
          icon="refresh"
          onClick={() =>
            ask({
              title: t('change.retry_title', { n: bad }),
              body: t('change.retry_body'),
              confirm: t('change.retry'),
              act: () => taken(call('/api/v3/wireless_template/change/retry', { change_id }), t('change.retrying')),
            })
          }
        >
          {t('change.retry')}
        </Button>
      )}
      {!reversed && !open && left && <Button onClick={() => setAsking('resume')}>{t('change.resume')}</Button>}
      {!reversed && (change.takes_off || sums.total === 0 || sums.queued < sums.total) && (
        <Button icon="undo" className="btn-bad" onClick={() => setAsking('reverse')}>
          {t('change.reverse')}
        </Button>
      )}
      {asking === 'resume' && <ResumeDialog change={change} onClose={close} />}
      {asking === 'reverse' && <ReverseDialog change={change} onClose={close} />}
    </div>
  );
}

const badly: readonly string[] = ['rejected', 'failed', 'reverted'];
