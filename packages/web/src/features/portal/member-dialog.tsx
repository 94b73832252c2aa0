import { useState } from 'react';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { changedFields } from '../../ui/changed-fields.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { CheckField, fieldError, PasswordField, TextField } from '../../ui/field.tsx';
import { NameField, NumberField, whole } from '../../ui/rule-fields.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';

export type Member = Row<'/api/v3/portal/member/list'>;

interface Props {
  gwid: string;
  member: Member | null;
  onClose: () => void;
  onDone: () => void;
}

const maxDevices = 100;
const minPassword = 6;

/** Local; null if empty, undefined if invalid. */
function endOfDay(typed: string): string | null | undefined {
  if (typed.trim() === '') return null;
  const end = new Date(`${typed.trim()}T23:59:59`);
  return /^\d{4}-\d{2}-\d{2}$/.test(typed.trim()) && !Number.isNaN(end.getTime()) ? end.toISOString() : undefined;
}

function dayTyped(at: string): string {
  const day = new Date(at);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}

export function MemberDialog({ gwid, member: shown, onClose, onDone }: Props) {
  // the list may reload
  const [member] = useState(shown);
  const [name, setName] = useState(member?.name ?? '');
  const [password, setPassword] = useState('');
  const [enabled, setEnabled] = useState(member?.enabled ?? true);
  const [devices, setDevices] = useState(String(member?.devices ?? 1));
  const [day, setDay] = useState(member?.until ? dayTyped(member.until) : '');
  const [radius, setRadius] = useState(member?.radius ?? false);
  const [realName, setRealName] = useState('');
  const [idCard, setIdCard] = useState('');
  const named = realName.trim() !== '' || idCard.trim() !== '';
  const form = useForm<'name' | 'password' | 'devices' | 'until' | 'real.name' | 'real.id_card'>({
    4105: 'name',
    4106: 'name',
  });
  const until = endOfDay(day);
  const wrongPassword = () => {
    if (member && password === '') return radius && !member.radius ? t('site_portal.member_radius_password') : null;
    if (password.length < minPassword) return t('validation.minLength', { min: minPassword });
    return fieldError('passwordFilter', password);
  };
  const wrongDay = () => {
    if (until === undefined) return t('site_portal.member_until_wrong');
    return !member && until !== null && new Date(until).getTime() <= Date.now() ? t('validation.future') : null;
  };
  const save = () =>
    form.send(
      {
        name: member ? null : fieldError('nameText', name),
        password: wrongPassword(),
        devices: whole(1, maxDevices).test(devices) ? null : t('validation.between', { min: 1, max: maxDevices }),
        'real.name': named ? fieldError('freeText', realName) : null,
        'real.id_card': named ? fieldError('idCard', idCard) : null,
        until: wrongDay(),
      },
      async () => {
        const fields = { enabled, radius, until: until ?? null, devices: Number(devices) };
        const real = named ? { real: { name: realName.trim(), id_card: idCard.trim() } } : {};
        if (member) {
          const began = { ...member, until: endOfDay(member.until ? dayTyped(member.until) : '') ?? null };
          const changes = { ...changedFields<typeof fields>(fields, began), ...(password && { password }) };
          await call('/api/v3/portal/member/save', { gwid, id: member.id, ...changes, ...real });
        } else await call('/api/v3/portal/member/create', { gwid, name, password, ...fields, ...real });
        notify('ok', t('site_portal.member_saved'));
        onDone();
      },
    );
  return (
    <Dialog
      title={t(member ? 'site_portal.member_edit' : 'site_portal.member_create')}
      onClose={onClose}
      onSubmit={save}
      foot={
        <SendFoot onClose={onClose} busy={form.busy}>
          {t('site_portal.save')}
        </SendFoot>
      }
    >
      <div className="fields" ref={form.fields}>
        <NameField
          label={t('site_portal.member_name')}
          value={name}
          onChange={setName}
          error={form.wrong.name}
          disabled={member !== null}
        />
        <PasswordField
          label={t('site_portal.member_password')}
          hint={member ? t('site_portal.member_password_keep') : undefined}
          value={password}
          onChange={setPassword}
          error={form.wrong.password}
          autoComplete="new-password"
          maxLength={64}
        />
        <NumberField
          label={t('site_portal.batch_devices')}
          min={1}
          max={maxDevices}
          value={devices}
          onChange={setDevices}
          error={form.wrong.devices}
        />
        <TextField
          label={t('site_portal.member_until')}
          hint={t('site_portal.member_until_hint')}
          value={day}
          onChange={setDay}
          error={form.wrong.until}
          maxLength={10}
        />
        <TextField
          label={t('site_portal.real_name')}
          hint={t(member?.real_name ? 'site_portal.real_name_kept' : 'site_portal.real_name_hint')}
          value={realName}
          onChange={setRealName}
          error={form.wrong['real.name']}
          maxLength={32}
        />
        <TextField
          label={t('site_portal.id_card')}
          value={idCard}
          onChange={setIdCard}
          error={form.wrong['real.id_card']}
          maxLength={18}
        />
        <CheckField checked={radius} onChange={setRadius} hint={t('site_portal.member_radius_hint')}>
          {t('site_portal.member_radius')}
        </CheckField>
        <CheckField checked={enabled} onChange={setEnabled}>
          {t('site_portal.member_enabled')}
        </CheckField>
      </div>
    </Dialog>
  );
}
