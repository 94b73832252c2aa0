import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { confirmDevices } from '../../ui/confirm-devices.ts';
import { Icon } from '../../ui/icon.tsx';
import { listed } from '../../ui/refusal.ts';

type Devices = Data<'/api/v3/network/wireless/preview'>['devices'];

/** Says in a preview which devices wait for a confirmation, and offers it. */
export function UnconfirmedDevices({ devices, onConfirmed }: { devices: Devices; onConfirmed: () => void }) {
  const mayBind = useMay('network.bind');
  const waiting = devices.filter(({ effect }) => effect === 'unconfirmed');
  if (waiting.length === 0) return null;
  const confirm = async () => {
    await confirmDevices(waiting.map(({ serial }) => serial));
    onConfirmed();
  };
  return (
    <div className="notice notice-warn" role="status">
      <Icon name="alert" size={16} />
      <div>
        <strong>{t('waiting.unconfirmed')}</strong>
        <p>{t('wireless.unconfirmed_waits', { n: waiting.length, names: listed(waiting.map(({ name }) => name)) })}</p>
        {mayBind && <Button onClick={() => void confirm()}>{t('waiting.confirm')}</Button>}
      </div>
    </div>
  );
}
