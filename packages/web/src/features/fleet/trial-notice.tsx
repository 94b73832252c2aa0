import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { reasonText } from '../../ui/job-name.ts';

/**
 * What a configuration on trial means, and after it why it did not stay.
 *
 * @param data where the configuration of the network's gateway stands
 * @param settings the saved settings stand below: they are those that did not stay
 */
export function TrialNotice({
  data: { sync_state: state, sync_reason: reason, trial_until: until },
  settings = false,
}: {
  data: Pick<Data<'/api/v3/network/detail'>, 'sync_state' | 'sync_reason' | 'trial_until'>;
  settings?: boolean;
}) {
  if (!until) return null;
  if (state === 'applying') return <p className="notice">{t('network.trial')}</p>;
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
