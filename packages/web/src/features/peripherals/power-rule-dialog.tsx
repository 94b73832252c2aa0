import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useRead } from '../../app/use-call.ts';
import { ChecksField } from '../../ui/checks-field.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/empty.tsx';
import { CheckField } from '../../ui/field.tsx';
import { NetworkPick } from '../../ui/networks-field.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';
import { peripheralTypes } from './peripheral.ts';

const path = '/api/v3/peripheral/power';
type Rule = Data<typeof path>;

interface Network {
  gwid: string;
  remark: string;
}

export function PowerRuleDialog({ network: given, onClose }: { network: Network | null; onClose: () => void }) {
  const [picked, setPicked] = useState<Network | null>(null);
  const gwid = (given ?? picked)?.gwid ?? '';
  const { data, error, refetch } = useRead(path, { gwid }, { enabled: gwid !== '' });
  const [draft, setDraft] = useState<Rule | null>(null);
  const [busy, setBusy] = useState(false);
  const rule = draft ?? data;
  const save = async () => {
    if (!rule) return;
    setBusy(true);
    try {
      await call('/api/v3/peripheral/power/save', { gwid, ...rule });
      notify('ok', t('peripherals.power_saved'));
      onClose();
    } catch (failure) {
      notifyError(failure);
      if (failure instanceof ApiError && failure.code === 4104) setDraft(null);
    }
    await queryClient.invalidateQueries({ queryKey: [path] });
    setBusy(false);
  };
  return (
    <Dialog
      title={t('peripherals.power_title')}
      onClose={onClose}
      onSubmit={() => void save()}
      foot={
        <SendFoot onClose={onClose} busy={busy} disabled={!rule || rule.types.length === 0}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div className="stack">
        {given === null && (
          <NetworkPick
            label={t('peripherals.network')}
            value={picked}
            onChange={(next) => {
              setPicked(next);
              setDraft(null);
            }}
          />
        )}
        {error && <Failed error={error} retry={() => void refetch()} small />}
        {gwid !== '' && !error && (
          <Loading until={rule !== undefined} lines={3}>
            {rule && (
              <>
                <CheckField checked={rule.enabled} onChange={(enabled) => setDraft({ ...rule, enabled })}>
                  {t('peripherals.power_enabled')}
                </CheckField>
                <ChecksField
                  label={t('peripherals.power_types')}
                  value={rule.types}
                  error={rule.types.length === 0 ? t('validation.required') : null}
                  onChange={(chosen) => setDraft({ ...rule, types: chosen })}
                  options={peripheralTypes.map((value) => ({ value, label: t(`peripherals.type_${value}`) }))}
                />
              </>
            )}
          </Loading>
        )}
        <p className="small dim">{t('peripherals.power_hint')}</p>
      </div>
    </Dialog>
  );
}
