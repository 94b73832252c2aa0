import { t } from '../../../app/i18n.ts';
import { useMay } from '../../../app/shell/current.ts';
import { Button } from '../../../ui/button.tsx';
import { confirmDevices } from '../../../ui/confirm-devices.ts';
import { Icon } from '../../../ui/icon.tsx';

/** Shows the source address; a person can confirm. */
export function UnconfirmedNotice({ serial, ip }: { serial: string; ip: string | null }) {
  const mayBind = useMay('network.bind');
  return (
    <div className="notice notice-warn" role="status">
      <Icon name="alert" size={16} />
      <div>
        <strong>{t('waiting.unconfirmed')}</strong>
        <p>{t('waiting.unconfirmed_body', { ip: ip ?? '–' })}</p>
        {mayBind && <Button onClick={() => void confirmDevices([serial])}>{t('waiting.confirm')}</Button>}
      </div>
    </div>
  );
}
