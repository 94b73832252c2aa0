import { useState } from 'react';
import { Dialog, SendFoot } from './dialog.tsx';
import { fieldError, TextField } from './field.tsx';
import { useForm } from './use-form.ts';

/** Asks why a request is refused; `act` sends it, and shows what has changed. */
export function ReasonDialog(props: {
  title: string;
  label: string;
  act: (reason: string) => Promise<unknown>;
  onClose: () => void;
}) {
  const { title, label, act, onClose } = props;
  const [reason, setReason] = useState('');
  const { wrong, busy, fields, send } = useForm<'reason'>({ 4104: 'reason' });
  const submit = () =>
    send({ reason: fieldError('required', reason) }, async () => {
      await act(reason);
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
        <TextField
          label={label}
          rule="required"
          maxLength={200}
          value={reason}
          onChange={setReason}
          error={wrong.reason}
        />
      </div>
    </Dialog>
  );
}
