import { objectionHours } from '@yunxun/contract/limits';
import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useRead } from '../../app/use-call.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { fieldError, TextField } from '../../ui/field.tsx';
import { exactTime } from '../../ui/format.ts';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { serialsPath } from './serials-path.ts';

const findPath = '/api/v3/install/serial/find';

/** Reads a MAC in any notation; null unless complete. */
function serialOf(text: string): string | null {
  const serial = text.replace(/[^0-9a-f]/gi, '').toLowerCase();
  return serial.length === 12 ? serial : null;
}

export function SerialDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const [code, setCode] = useState('');
  const [reason, setReason] = useState('');
  const serial = serialOf(text);
  const { data } = useRead(findPath, { serial: serial ?? '' }, { enabled: serial !== null });
  const { wrong, setWrong, busy, fields, send } = useForm<'serial' | 'binding_code' | 'reason'>();
  const showWaiting = (error: unknown): boolean => {
    const due = error instanceof ApiError && error.code === 4104 ? error.data.due_at : undefined;
    if (typeof due !== 'string') return false;
    setWrong({ serial: t('serials.waits_already', { time: exactTime(new Date(due)) }) });
    return true;
  };
  const submit = () =>
    send(
      {
        serial: serial ? null : t('serials.serial_wrong'),
        binding_code: null,
        reason: fieldError('required', reason),
      },
      async () => {
        const asked = { serial: serial!, reason, ...(code.trim() && { binding_code: code.trim() }) };
        const { due_at } = await call('/api/v3/install/serial/transfer', asked);
        await queryClient.invalidateQueries({ queryKey: [serialsPath] });
        notify('ok', due_at ? t('serials.waits', { time: exactTime(new Date(due_at)) }) : t('serials.done'));
        onClose();
      },
      showWaiting,
    );
  return (
    <Dialog
      title={t('serials.move')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t(code.trim() ? 'serials.send' : 'serials.release')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <TextField
          label={t('serials.serial')}
          value={text}
          onChange={setText}
          error={wrong.serial}
          hint={serial && data ? holderText(data) : t('serials.serial_hint')}
          maxLength={32}
        />
        <TextField
          label={t('serials.code')}
          hint={t('serials.code_hint')}
          optional
          value={code}
          onChange={setCode}
          error={wrong.binding_code}
          maxLength={32}
        />
        <TextField
          label={t('serials.reason')}
          hint={t('serials.reason_hint')}
          rule="required"
          value={reason}
          onChange={setReason}
          error={wrong.reason}
          maxLength={200}
        />
      </div>
    </Dialog>
  );
}

function holderText({ holder }: Data<typeof findPath>): string {
  if (!holder) return t('serials.holder_none');
  const held = { account: holder.account, since: exactTime(new Date(holder.enrolled_at)) };
  if (holder.confirmed) return t('serials.holder_confirmed', { ...held, hours: objectionHours });
  return holder.first_connected_at ? t('serials.holder_connected', held) : t('serials.holder_unused', held);
}
