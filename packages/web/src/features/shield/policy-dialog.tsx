import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { changedFields } from '../../ui/changed-fields.ts';
import { Choice } from '../../ui/choice.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { CheckField } from '../../ui/field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { categories, modes, refreshShield, type ShieldSetting, saved } from './shield.ts';

export function PolicyDialog({ networks, onClose }: { networks: readonly ShieldSetting[]; onClose: () => void }) {
  const first = networks[0]!;
  const [mode, setMode] = useState<ShieldSetting['mode']>(first.mode === 'off' ? 'block' : first.mode);
  const [chosen, setChosen] = useState<ShieldSetting['categories']>(
    first.categories.length > 0 ? first.categories : ['malware', 'phishing', 'own'],
  );
  const [redirect, setRedirect] = useState(first.redirect);
  const { data: lists } = useRead('/api/v3/cloud_security/list/list', {});
  const { busy, fields, send } = useForm();
  const submit = () =>
    send({}, async () => {
      const wanted = { mode, categories: [...chosen], redirect };
      const gwids = networks.map(({ gwid }) => gwid);
      const answer = await call('/api/v3/cloud_security/setting/save', {
        gwids,
        ...(gwids.length === 1 ? changedFields<typeof wanted>(wanted, first) : wanted),
      });
      saved(answer.job_id);
      onClose();
      await refreshShield();
    });
  const nameOf = (category: (typeof categories)[number]) => {
    const name = t(`shield.category_${category}`);
    const isEmpty = category !== 'own' && lists && !lists.list.some((list) => list.category === category);
    return isEmpty ? t('shield.category_empty', { name }) : name;
  };
  return (
    <Dialog
      title={
        networks.length === 1 ? t('shield.edit', { name: first.name }) : t('shield.edit_many', { n: networks.length })
      }
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <Choice
          label={t('shield.mode')}
          value={mode}
          options={modes.map((value) => ({ value, label: t(`shield.mode_${value}`) }))}
          onChange={setMode}
        />
        <p className="small dim">{t('shield.mode_hint')}</p>
        <fieldset className="stack stack-s">
          <legend className="field-label">{t('shield.categories')}</legend>
          {categories.map((category) => (
            <CheckField
              key={category}
              checked={chosen.includes(category)}
              onChange={(checked) =>
                setChosen(categories.filter((other) => (other === category ? checked : chosen.includes(other))))
              }
            >
              {nameOf(category)}
            </CheckField>
          ))}
        </fieldset>
        <CheckField checked={redirect} onChange={setRedirect} hint={t('shield.redirect_hint')}>
          {t('shield.redirect')}
        </CheckField>
      </div>
    </Dialog>
  );
}
