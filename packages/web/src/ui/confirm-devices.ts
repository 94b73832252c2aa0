import { call } from '../app/client.ts';
import { t } from '../app/i18n.ts';
import { queryClient } from '../app/session.ts';
import { notify, notifyError } from './toast.tsx';

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
