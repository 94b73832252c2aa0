import type { Role } from '@yunxun/contract';
import { useState } from 'react';
import type { Input } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { NetworksField, networksWrong } from '../../ui/networks-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { type RoleChoice, RoleField, sameRole, seesAll, useRoleOptions } from './role-field.tsx';

type GivenRole = Input<'/api/v3/account/member/invite'>['role'];

const offered = [
  'reception',
  'marketing',
  'billing',
  'auditor',
  'operator',
  'admin',
] as const satisfies readonly Role[];
export interface Offer extends RoleChoice {
  login: string;
  gwids: string[] | null;
}

export function InviteDialog({ offer, onClose }: { offer?: Offer; onClose: () => void }) {
  const [login, setLogin] = useState(offer?.login ?? '');
  const options = useRoleOptions(offered);
  const [wanted, setRole] = useState<RoleChoice | null>(offer ?? null);
  const role = options.find((option) => wanted && sameRole(option, wanted)) ?? null;
  const [some, setSome] = useState<readonly string[] | null>(offer ? offer.gwids : []);
  const [link, setLink] = useState<string | null>(null);
  const form = useForm<'login' | 'role' | 'gwids'>();
  const wide = role !== null && seesAll(options, role);
  const gwids = wide ? null : some;
  const wrong = () => ({
    login: login.trim() ? null : t('validation.required'),
    role: role ? null : t('invitation.role_missing'),
    gwids: networksWrong(gwids),
  });
  const send = () =>
    form.send(wrong(), async () => {
      const given = { role: role?.role as GivenRole, role_id: role?.role_id ?? null };
      const { url } = await call('/api/v3/account/member/invite', { login, ...given, gwids: gwids && [...gwids] });
      await queryClient.invalidateQueries({ queryKey: ['/api/v3/account/invitation/list'] });
      setLink(url);
    });
  if (link) return <Invited login={login.trim()} link={link} onClose={onClose} />;
  return (
    <Dialog
      title={t('invitation.invite')}
      onClose={onClose}
      onSubmit={send}
      foot={
        <SendFoot onClose={onClose} busy={form.busy}>
          {t('invitation.send')}
        </SendFoot>
      }
    >
      <div className="fields" ref={form.fields}>
        <TextField
          label={t('invitation.login')}
          hint={t('invitation.login_hint')}
          maxLength={254}
          value={login}
          onChange={setLogin}
          error={form.wrong.login}
        />
        <RoleField options={options} value={role} onChange={setRole} error={form.wrong.role} />
        {wide ? (
          <p className="small dim">{t('member.sees_all')}</p>
        ) : (
          <NetworksField value={some} onChange={setSome} error={form.wrong.gwids} />
        )}
      </div>
    </Dialog>
  );
}

function Invited({ login, link, onClose }: { login: string; link: string; onClose: () => void }) {
  const { data } = useRead('/api/v3/open/installation', {});
  const unsent = login.includes('@') ? data?.outbox_email : data?.outbox_sms;
  return (
    <Dialog
      title={t('invitation.made', { login })}
      onClose={onClose}
      onSubmit={onClose}
      foot={
        <Button kind="primary" type="submit">
          {t('action.close')}
        </Button>
      }
    >
      <p className={unsent ? 'notice notice-warn' : 'notice'}>
        <Icon name={unsent ? 'alert' : 'mail'} size={16} />
        <span>{t(unsent ? 'invitation.unsent' : 'invitation.sent', { login })}</span>
      </p>
      <CopyText text={link} label={t('invitation.copy')} block />
      <p className="small dim">{t('invitation.only', { login })}</p>
    </Dialog>
  );
}
