import { roles } from '@yunxun/contract/permissions';
import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useUser } from '../../app/shell/current.ts';
import { alike } from '../../ui/changed-fields.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { NetworksField, networksWrong } from '../../ui/networks-field.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import type { Member } from './member-row.ts';
import { type RoleChoice, RoleField, seesAll, useRoleOptions } from './role-field.tsx';

/** Takes effect at once, on the member's pages too. */
export function MemberDialog(props: { member: Member; onClose: () => void; onSaved: () => Promise<unknown> }) {
  // the list may reload
  const [member] = useState(props.member);
  const user = useUser();
  const [role, setRole] = useState<RoleChoice>({ role: member.role, role_id: member.role_id });
  const [some, setSome] = useState<readonly string[] | null>(member.gwids);
  const standard = roles.filter((one) => one !== 'owner' || user.role === 'owner');
  const options = useRoleOptions(standard, member);
  const wide = seesAll(options, role);
  const gwids = wide ? null : some;
  const form = useForm<'gwids'>();
  const name = member.name || member.login;
  const save = () =>
    form.send({ gwids: networksWrong(gwids) }, async () => {
      const { waiting } = await call('/api/v3/account/member/update', {
        id: member.id,
        ...(role.role === member.role && (role.role_id ?? null) === member.role_id ? {} : role),
        ...(alike([gwids], [member.gwids]) ? {} : { gwids: gwids && [...gwids] }),
      });
      await props.onSaved();
      notify('ok', waiting ? t('member.change_waits') : t('member.saved', { name }));
      props.onClose();
    });
  return (
    <Dialog
      title={t('member.edit_title', { name })}
      onClose={props.onClose}
      onSubmit={save}
      foot={
        <SendFoot onClose={props.onClose} busy={form.busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div className="fields" ref={form.fields}>
        <RoleField options={options} value={role} onChange={setRole} />
        {wide ? (
          <p className="small dim">{t('member.sees_all')}</p>
        ) : (
          <NetworksField value={some} onChange={setSome} error={form.wrong.gwids} />
        )}
      </div>
    </Dialog>
  );
}
