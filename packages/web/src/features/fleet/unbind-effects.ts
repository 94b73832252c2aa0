import type { Input } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { notifyError } from '../../ui/toast.tsx';

/** Returns a line per effect; null after a shown error. */
export async function unbindEffects(chosen: Input<'/api/v3/device/unbind/effects'>): Promise<string[] | null> {
  try {
    const { list } = await call('/api/v3/device/unbind/effects', chosen);
    return list.map(({ effect, name }) => t(`unbind.${effect}`, { name }));
  } catch (error) {
    notifyError(error);
    return null;
  }
}
