import { assignable, type Permission } from '@yunxun/contract/permissions';
import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useUser } from '../../app/shell/current.ts';
import { changedFields } from '../../ui/changed-fields.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { PermissionsField } from './permissions-field.tsx';
import type { OwnRole } from './role-row.ts';

/** Offers the permissions of the signed-in person. */
export function RoleDialog({ role: given, onClose }: { role?: OwnRole; onClose: () => void }) {
  // the list may reload
  const [role] = useState(given);
  const user = useUser();
  const offered = assignable.filter((permission) => user.permissions.includes(permission));
  const [name, setName] = useState(role?.name ?? '');
  const [permissions, setPermissions] = useState<readonly Permission[]>(role?.permissions ?? ['network.read']);
  const form = useForm<'name' | 'permissions'>({ 4105: 'name', 4106: 'name' });
  const save = async () => {
    const content = { name: name.trim(), permissions: [...permissions] };
    const { waiting } = role
      ? await call('/api/v3/account/role/update', { id: role.id, ...changedFields<typeof content>(content, role) })
      : { waiting: false, ...(await call('/api/v3/account/role/create', content)) };
    await queryClient.invalidateQueries({
      predicate: ({ queryKey }) => /\/(account\/(role|member)|billing\/decision)\//.test(`${queryKey[0]}`),
    });
    notify('ok', waiting ? t('member.change_waits') : t('role_own.saved', { name: content.name }));
    onClose();
  };
  const send = () =>
    form.send(
      {
        name: name.trim() ? null : t('validation.required'),
        permissions: permissions.length === 0 ? t('validation.minItems', { min: 1 }) : null,
      },
      save,
    );
  return (
    <Dialog
      wide
      title={role ? t('role_own.edit_named', { name: role.name }) : t('role_own.create')}
      onClose={onClose}
      onSubmit={send}
      foot={
        <SendFoot onClose={onClose} busy={form.busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div className="fields" ref={form.fields}>
        <TextField label={t('role_own.name')} maxLength={32} value={name} onChange={setName} error={form.wrong.name} />
        <PermissionsField
          offered={offered}
          value={permissions}
          onChange={setPermissions}
          error={form.wrong.permissions}
        />
        {role && role.member_num > 0 && <p className="small dim">{t('role_own.at_once', { n: role.member_num })}</p>}
      </div>
    </Dialog>
  );
}
