import type { Data, Row } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { ask } from '../../ui/dialog-host.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';

type Listed = Row<'/api/v3/portal/reception/guest/list'>;

export type ActedGuest = Pick<Listed, 'id' | 'mac' | 'identity' | 'expires_at' | 'extend_hindrance' | 'signs_out'>;

const lists = ['/api/v3/portal/reception/guest/list', '/api/v3/portal/guest/list'] as const;

export const refreshGuests = () =>
  Promise.all(lists.map((path) => queryClient.invalidateQueries({ queryKey: [path] })));

export const nameOf = ({ identity, mac }: ActedGuest): string => identity ?? mac ?? '';

export function askToSignOut(guest: ActedGuest, end: () => Promise<Data<'/api/v3/portal/guest/kick'>>): void {
  ask({
    title: t('site_portal.kick_title', { name: nameOf(guest) }),
    body: t('site_portal.kick_body'),
    confirm: t('site_portal.kick'),
    danger: true,
    act: async () => {
      const { result } = await end();
      notify(result === 'disconnected' ? 'ok' : 'bad', t(`site_portal.kick_${result}`));
      await refreshGuests();
    },
  });
}

export function closedBy(error: unknown, close: () => void): boolean {
  if (!(error instanceof ApiError) || error.code !== 4104) return false;
  notifyError(error);
  void refreshGuests();
  close();
  return true;
}
