import type { Permission } from '@yunxun/contract';
import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { changedFields } from '../../ui/changed-fields.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { NetworksField, networksWrong } from '../../ui/networks-field.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import type { Given } from './given-row.ts';
import { PermissionsField, presets } from './permissions-field.tsx';

export function HostingDialog({ delegation: given, onClose }: { delegation?: Given; onClose: () => void }) {
  // the list may reload
  const [delegation] = useState(given);
  const [login, setLogin] = useState('');
  const [gwids, setGwids] = useState<readonly string[] | null>(delegation ? delegation.gwids : []);
  const [permissions, setPermissions] = useState<readonly Permission[]>(
    delegation ? delegation.permissions : presets.view,
  );
  const form = useForm<'login' | 'gwids' | 'permissions'>();
  const hosted = { permissions: [...permissions], gwids: gwids && [...gwids] };
  const save = async () => {
    if (delegation) {
      await call('/api/v3/hosting/update', {
        id: delegation.id,
        ...changedFields<Partial<typeof hosted>>(hosted, delegation),
      });
      notify('ok', t('hosting.saved', { name: delegation.account_name }));
    } else {
      const { replaced } = await call('/api/v3/hosting/grant', { login, ...hosted });
      notify('ok', t(replaced ? 'hosting.replaced' : 'hosting.granted', { login: login.trim() }));
    }
    await queryClient.invalidateQueries({ queryKey: ['/api/v3/hosting/list'] });
    onClose();
  };
  const send = () =>
    form.send(
      {
        login: delegation || login.trim() ? null : t('validation.required'),
        gwids: networksWrong(gwids),
        permissions: permissions.length === 0 ? t('validation.minItems', { min: 1 }) : null,
      },
      save,
    );
  return (
    <Dialog
      wide
      title={delegation ? t('hosting.edit_title', { name: delegation.account_name }) : t('hosting.grant')}
      onClose={onClose}
      onSubmit={send}
      foot={
        <SendFoot onClose={onClose} busy={form.busy}>
          {delegation ? t('action.save') : t('hosting.grant')}
        </SendFoot>
      }
    >
      <div className="fields" ref={form.fields}>
        {!delegation && (
          <TextField
            label={t('hosting.login')}
            hint={t('hosting.login_hint')}
            maxLength={254}
            value={login}
            onChange={setLogin}
            error={form.wrong.login}
          />
        )}
        <NetworksField value={gwids} onChange={setGwids} error={form.wrong.gwids} />
        <PermissionsField value={permissions} onChange={setPermissions} error={form.wrong.permissions} />
        <p className="small dim">{t('hosting.never_account')}</p>
      </div>
    </Dialog>
  );
}
