import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField } from '../../ui/field.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { type ChangeDetail, taken } from './template-change.ts';

export function ReverseDialog({ change, onClose }: { change: ChangeDetail; onClose: () => void }) {
  const networks = change.networks.filter(({ devices }) => devices > 0);
  const [part, setPart] = useState(false);
  const [picked, setPicked] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const n = networks.reduce((sum, { gwid, devices }) => sum + (!part || picked.includes(gwid) ? devices : 0), 0);
  const reverse = async () => {
    setBusy(true);
    const input = { change_id: change.id, ...(part && { gwids: [...picked] }) };
    await taken(call('/api/v3/wireless_template/rollback', input), t('change.reversing')).then(onClose, notifyError);
    setBusy(false);
  };
  return (
    <Dialog
      title={t('change.reverse_title')}
      onClose={onClose}
      onSubmit={() => void reverse()}
      foot={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button kind="danger" type="submit" busy={busy} disabled={part && picked.length === 0}>
            {t('change.reverse_n', { n })}
          </Button>
        </>
      }
    >
      <p>{t('change.reverse_body')}</p>
      {networks.length > 1 && (
        <Choice
          label={t('change.reverse_where')}
          value={part ? 'part' : 'whole'}
          options={[
            { value: 'whole', label: t('change.reverse_whole') },
            { value: 'part', label: t('change.reverse_part') },
          ]}
          onChange={(chosen) => setPart(chosen === 'part')}
        />
      )}
      {part && (
        <fieldset className="ticks">
          <legend className="sr">{t('change.reverse_part')}</legend>
          {networks.map(({ gwid, name, devices }) => (
            <CheckField
              key={gwid}
              checked={picked.includes(gwid)}
              onChange={(on) => setPicked(on ? [...picked, gwid] : picked.filter((one) => one !== gwid))}
            >
              {t('push.with_devices', { name, n: devices })}
            </CheckField>
          ))}
        </fieldset>
      )}
      <ul className="losses">
        <li>{t('change.reverse_drop')}</li>
      </ul>
    </Dialog>
  );
}
