import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Notice } from './frame.tsx';

export function useInvited(next: string | undefined) {
  const token = /^\/invitation\/([\w-]+)$/.exec(next ?? '')?.[1];
  return useRead('/api/v3/open/invitation', { token: token ?? '' }, { enabled: token !== undefined });
}

export function InvitedNotice({ next }: { next: string | undefined }) {
  const { data, error } = useInvited(next);
  if (data) {
    const { invited_by: inviter, account_name: account, login } = data;
    return <Notice>{t('gate.invited', { inviter, account, login })}</Notice>;
  }
  return error && <Notice tone="warn">{t('gate.invitation_over')}</Notice>;
}
