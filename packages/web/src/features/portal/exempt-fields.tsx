import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { type CaptiveDraft, longestRemark, withDevices, withTyped } from './captive-draft.ts';
import { ExemptPicker } from './exempt-picker.tsx';

type Devices = Pick<CaptiveDraft, 'exempt' | 'typed'>;

export function ExemptFields(props: {
  gwid: string;
  draft: Devices;
  error: string | null | undefined;
  disabled: boolean;
  onChange: (draft: Devices) => void;
}) {
  const { gwid, draft, error, disabled, onChange } = props;
  const { exempt, typed } = draft;
  const [picking, setPicking] = useState(false);
  const maySee = useMay('user.read');
  return (
    <fieldset className="field portal-lans">
      <legend className="field-label">{t('site_portal.exempt')}</legend>
      {exempt.map((one) => (
        <div key={one.device} className="portal-exempt">
          <TextField
            label={one.device}
            placeholder={t('site_portal.exempt_remark')}
            maxLength={longestRemark}
            value={one.remark}
            disabled={disabled}
            onChange={(remark) =>
              onChange({ typed, exempt: exempt.map((other) => (other === one ? { ...one, remark } : other)) })
            }
          />
          {!disabled && (
            <IconButton
              icon="trash"
              label={t('site_portal.exempt_remove', { device: one.device })}
              onClick={() => onChange({ typed, exempt: exempt.filter((other) => other !== one) })}
            />
          )}
        </div>
      ))}
      {!disabled && (
        <>
          <TextField
            label={t('site_portal.exempt_device')}
            hint={t('site_portal.exempt_hint')}
            value={typed}
            onChange={(text) => onChange({ exempt, typed: text })}
            error={error}
          />
          <div className="row">
            <Button
              icon="plus"
              why={typed.trim() === '' ? t('site_portal.exempt_type') : undefined}
              onClick={() => onChange({ exempt: withTyped(draft), typed: '' })}
            >
              {t('site_portal.exempt_add')}
            </Button>
            {maySee && <Button onClick={() => setPicking(true)}>{t('site_portal.exempt_pick')}</Button>}
          </div>
        </>
      )}
      {picking && (
        <ExemptPicker
          gwid={gwid}
          taken={exempt}
          onChoose={(devices) => {
            onChange({ typed, exempt: withDevices(exempt, devices) });
            setPicking(false);
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </fieldset>
  );
}
