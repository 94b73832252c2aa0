import { useState } from 'react';
import type { Data } from '../../../app/api.ts';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { queryClient } from '../../../app/session.ts';
import { useMay } from '../../../app/shell/current.ts';
import { useRead } from '../../../app/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, SendFoot } from '../../../ui/dialog.tsx';
import { Failed } from '../../../ui/empty.tsx';
import { fieldError, SelectField, SwitchField, TextField } from '../../../ui/field.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { notify } from '../../../ui/toast.tsx';
import { useForm } from '../../../ui/use-form.ts';

const path = '/api/v3/billing/fapiao/settings/get';
type Settings = Data<typeof path>;

const texts = ['seller_name', 'seller_tax_no', 'goods_name', 'goods_code'] as const;
const longest = { seller_name: 100, seller_tax_no: 40, goods_name: 100, goods_code: 19 } as const;
const rates = [0, 1, 3, 6, 9, 13] as const;
const issuers = ['manual', 'sandbox'] as const;

export function FapiaoSettings({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useRead(path, {});
  if (data) return <SettingsForm saved={data} onClose={onClose} />;
  return (
    <Dialog
      title={t('fapiao.settings')}
      onClose={onClose}
      foot={<Button onClick={onClose}>{t('action.close')}</Button>}
    >
      {error ? <Failed error={error} retry={() => void refetch()} /> : <Skeleton height={320} />}
    </Dialog>
  );
}

function SettingsForm(props: { saved: Settings; onClose: () => void }) {
  const { onClose } = props;
  const may = useMay('billing.write');
  // it may be read anew
  const [saved] = useState(props.saved);
  const [draft, setDraft] = useState<Settings>(saved);
  const set = (change: Partial<Settings>) => setDraft((now) => ({ ...now, ...change }));
  const { wrong, busy, fields, send } = useForm<(typeof texts)[number]>();
  const missing = (name: (typeof texts)[number]) => (draft.enabled ? fieldError('required', draft[name]) : null);
  const submit = () =>
    send(Object.fromEntries(texts.map((name) => [name, missing(name)])), async () => {
      await call('/api/v3/billing/fapiao/settings/save', draft);
      await queryClient.invalidateQueries({ queryKey: [path] });
      notify('ok', t('fapiao.saved'));
      onClose();
    });
  const rate = rates.find((one) => one === draft.rate) ?? 6;
  return (
    <Dialog
      title={t('fapiao.settings')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy} disabled={!may}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <p className="quiet">{t('fapiao.settings_about')}</p>
        <SwitchField checked={draft.enabled} onChange={(enabled) => set({ enabled })} disabled={!may}>
          {t('fapiao.enabled')}
        </SwitchField>
        {texts.map((name) => (
          <TextField
            key={name}
            label={t(`fapiao.${name}`)}
            hint={name === 'goods_code' ? t('fapiao.goods_code_hint') : undefined}
            inputMode={name === 'goods_code' ? 'numeric' : 'text'}
            maxLength={longest[name]}
            disabled={!may}
            value={draft[name]}
            onChange={(value) => set({ [name]: name === 'goods_code' ? value.trim() : value })}
            error={wrong[name]}
          />
        ))}
        <SelectField
          label={t('fapiao.rate')}
          value={String(rate)}
          disabled={!may}
          options={rates.map((one) => ({ value: String(one), label: t('fapiao.rate_percent', { rate: one }) }))}
          onChange={(value) => set({ rate: rates.find((one) => String(one) === value) ?? rate })}
        />
        <SelectField
          label={t('fapiao.issuer')}
          hint={draft.issuer === 'sandbox' ? t('fapiao.sandbox_note') : undefined}
          value={draft.issuer}
          disabled={!may}
          options={issuers.map((value) => ({ value, label: t(`fapiao.issuer_${value}`) }))}
          onChange={(issuer) => set({ issuer })}
        />
      </div>
    </Dialog>
  );
}
