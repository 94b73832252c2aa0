import { useState } from 'react';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { Dialog, SendFoot } from '../../../ui/dialog.tsx';
import { fieldError, TextField } from '../../../ui/field.tsx';
import { money } from '../../../ui/format.ts';
import { useForm } from '../../../ui/use-form.ts';
import { changed, type Fapiao } from './fapiao-list.ts';

export function IssueFapiao({ row, onClose }: { row: Fapiao; onClose: () => void }) {
  const [number, setNumber] = useState('');
  const [issuedOn, setIssuedOn] = useState('');
  const { wrong, busy, fields, send } = useForm<'number' | 'issued_on'>({ 4104: 'number' });
  const isRed = row.state === 'red_asked';
  const title = t(isRed ? 'fapiao.issue_red' : 'fapiao.issue');
  const submit = () =>
    send({ number: fieldError('required', number), issued_on: fieldError('required', issuedOn) }, async () => {
      await call('/api/v3/billing/fapiao/issue', { id: row.id, number, issued_on: issuedOn });
      await changed();
      onClose();
    });
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {title}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <p>
          <strong>
            {row.name} {row.tax_no} {money(Number(row.amount))}
          </strong>
        </p>
        <p className="quiet">
          {isRed ? t('fapiao.issue_red_body', { number: row.original ?? '' }) : t('fapiao.issue_body')}
        </p>
        <TextField
          label={t('fapiao.number')}
          maxLength={40}
          value={number}
          onChange={(value) => setNumber(value.trim())}
          error={wrong.number}
        />
        <TextField
          label={t('fapiao.issued_on')}
          placeholder="2026-11-20"
          maxLength={10}
          value={issuedOn}
          onChange={(value) => setIssuedOn(value.trim())}
          error={wrong.issued_on}
        />
      </div>
    </Dialog>
  );
}
