import type { Data } from '../app/api.ts';
import { t } from '../app/i18n.ts';
import { reasonText } from './job-name.ts';

/**
 * Shows the trial, or why it was reverted.
 * @param data sync state of the network's gateway
 * @param settings whether the rejected ones are shown below
 */
export function TrialNotice({
  data: { sync_state: state, sync_reason: reason, trial_until: until, returned_at: returnedAt },
  settings = false,
}: {
  data: Pick<Data<'/api/v3/network/detail'>, 'sync_state' | 'sync_reason' | 'trial_until' | 'returned_at'>;
  settings?: boolean;
}) {
  if (until && state === 'applying') return <p className="notice">{t('network.trial')}</p>;
  if (!returnedAt) return null;
  return (
    <div className="notice notice-bad">
      <div>
        <strong>{t('network.returned')}</strong>
        {reason && <p>{reasonText(reason)}</p>}
        {settings && <p>{t('network.returned_settings')}</p>}
      </div>
    </div>
  );
}
