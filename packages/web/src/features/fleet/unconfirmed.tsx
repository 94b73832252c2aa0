import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';

const shownIn = ['/api/v3/device/waiting/list', '/api/v3/ap/detail', '/api/v3/ap/list', '/api/v3/overview/attention'];

export async function confirmDevices(serials: readonly string[]): Promise<void> {
  try {
    const { confirmed } = await call('/api/v3/device/confirm', { serials: [...serials] });
    await Promise.all(shownIn.map((path) => queryClient.invalidateQueries({ queryKey: [path] })));
    notify('ok', t('waiting.confirmed', { n: confirmed }));
  } catch (error) {
    notifyError(error);
  }
}

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
