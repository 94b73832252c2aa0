import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField } from '../../ui/field.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { type ChangeDetail, taken } from './template-change.ts';

/** Resumes a stopped push for devices not started; problem models can be left out. */
export function ResumeDialog({ change, onClose }: { change: ChangeDetail; onClose: () => void }) {
  const left = change.devices.filter(({ cause, status }) => cause !== 'reverse' && status === 'cancelled');
  const models = [...new Set(left.map(({ model }) => model ?? ''))].toSorted();
  const countOf = (model: string) => left.filter((device) => (device.model ?? '') === model).length;
  const [without, setWithout] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const n = left.filter(({ model }) => !without.includes(model ?? '')).length;
  const resume = async () => {
    setBusy(true);
    const input = { change_id: change.id, without: [...without] };
    await taken(call('/api/v3/wireless_template/change/resume', input), t('change.resuming')).then(
      onClose,
      notifyError,
    );
    setBusy(false);
  };
  return (
    <Dialog
      title={t('change.resume_title', { n: left.length })}
      onClose={onClose}
      onSubmit={() => void resume()}
      foot={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button kind="primary" type="submit" busy={busy} disabled={n === 0}>
            {t('change.resume_n', { n })}
          </Button>
        </>
      }
    >
      <p>{t('change.resume_body')}</p>
      {models.length > 1 && (
        <fieldset className="ticks">
          <legend className="field-label">{t('change.resume_models')}</legend>
          {models.map((model) => (
            <CheckField
              key={model}
              checked={!without.includes(model)}
              onChange={(on) => setWithout(on ? without.filter((one) => one !== model) : [...without, model])}
            >
              {t('push.with_devices', { name: model || t('change.no_model'), n: countOf(model) })}
            </CheckField>
          ))}
        </fieldset>
      )}
    </Dialog>
  );
}
