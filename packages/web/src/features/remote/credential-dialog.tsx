import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { PasswordField } from '../../ui/field.tsx';
import { exactTime } from '../../ui/format.ts';
import { FreeTextField } from '../../ui/rule-fields.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';

const detailPath = '/api/v3/remote/credential/detail';
type Kept = NonNullable<Data<typeof detailPath>['kept']>;
const kinds = ['password', 'key'] as const;
const limits = { user: 64, secret: 1024, key: 12_000 } as const;

const refresh = () => queryClient.invalidateQueries({ queryKey: [detailPath] });

/** Sets, replaces or deletes the sign-in that SSH to a peripheral device uses; a kept secret is never shown. */
export function CredentialDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const { data } = useRead(detailPath, { peripheral_id: id });
  const [kind, setKind] = useState<(typeof kinds)[number]>('password');
  const [user, setUser] = useState('');
  const [password, setPassword] = useState('');
  const [key, setKey] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const { wrong, busy, fields, send } = useForm<'user' | 'password' | 'key' | 'passphrase'>();
  const isKey = kind === 'key';
  const missing = (value: string) => (value === '' ? t('validation.required') : null);
  const submit = () =>
    send(
      { user: missing(user), password: isKey ? null : missing(password), key: isKey ? missing(key) : null },
      async () => {
        const secret = isKey ? { key, ...(passphrase === '' ? {} : { passphrase }) } : { password };
        await call('/api/v3/remote/credential/save', {
          peripheral_id: id,
          version: data?.version ?? 0,
          user,
          ...secret,
        });
        await refresh();
        notify('ok', t('remote.credential_saved'));
        onClose();
      },
    );
  return (
    <Dialog
      title={t('remote.credential_title', { name })}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t(data?.kept ? 'remote.credential_replace' : 'action.save')}
        </SendFoot>
      }
    >
      <Loading until={data !== undefined}>
        <div ref={fields} className="stack">
          <p className="small dim">{t('remote.credential_hint')}</p>
          {data?.kept && <KeptNow id={id} kept={data.kept} onClose={onClose} />}
          <FreeTextField
            label={t('remote.login_user')}
            maxLength={limits.user}
            value={user}
            onChange={setUser}
            error={wrong.user}
            autoFocus
          />
          <Choice
            label={t('remote.credential_kind')}
            value={kind}
            onChange={setKind}
            options={kinds.map((value) => ({ value, label: t(`remote.credential_${value}`) }))}
          />
          {isKey ? (
            <>
              <TextAreaField
                label={t('remote.credential_key')}
                hint={t('remote.credential_key_hint')}
                error={wrong.key}
                rows={5}
                mono
                maxLength={limits.key}
                value={key}
                onChange={setKey}
              />
              <PasswordField
                label={t('remote.credential_passphrase')}
                hint={t('remote.credential_passphrase_hint')}
                autoComplete="new-password"
                maxLength={limits.secret}
                value={passphrase}
                onChange={setPassphrase}
                error={wrong.passphrase}
              />
            </>
          ) : (
            <PasswordField
              label={t('remote.login_password')}
              autoComplete="new-password"
              maxLength={limits.secret}
              value={password}
              onChange={setPassword}
              error={wrong.password}
            />
          )}
        </div>
      </Loading>
    </Dialog>
  );
}

function KeptNow({ id, kept, onClose }: { id: string; kept: Kept; onClose: () => void }) {
  const { user, kind, set_by: person, set_at: at, fits } = kept;
  const remove = () =>
    ask({
      title: t('remote.credential_delete_title'),
      body: t('remote.credential_delete_body'),
      confirm: t('remote.credential_delete'),
      danger: true,
      act: async () => {
        await call('/api/v3/remote/credential/delete', { peripheral_id: id });
        await refresh();
        onClose();
      },
    });
  return (
    <>
      <p>{t(`remote.credential_kept_${kind}`, { user, person, time: exactTime(new Date(at)) })}</p>
      {!fits && <p role="alert">{t('remote.credential_moved')}</p>}
      <div>
        <Button kind="danger" onClick={remove}>
          {t('remote.credential_delete')}
        </Button>
      </div>
    </>
  );
}
