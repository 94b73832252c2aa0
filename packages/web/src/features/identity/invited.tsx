import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Notice } from './frame.tsx';

/** What the link of an invitation is for, while its person signs in or registers on the way to it. */
export function useInvited(next: string | undefined) {
  const token = /^\/invitation\/([\w-]+)$/.exec(next ?? '')?.[1];
  return useRead('/api/v3/open/invitation', { token: token ?? '' }, { enabled: token !== undefined });
}

/** Says who invites whom into what, or that nobody does any more. */
export function InvitedNotice({ next }: { next: string | undefined }) {
  const { data, error } = useInvited(next);
  if (data) {
    const { invited_by: inviter, account_name: account, login } = data;
    return <Notice>{t('gate.invited', { inviter, account, login })}</Notice>;
  }
  return error && <Notice tone="warn">{t('gate.invitation_over')}</Notice>;
}
