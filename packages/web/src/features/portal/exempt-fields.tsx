import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { type ExemptDraft, plainDevice } from './captive-draft.ts';
import { ExemptPicker } from './exempt-picker.tsx';

const longestRemark = 60;

export function ExemptFields(props: {
  gwid: string;
  exempt: readonly ExemptDraft[];
  error: string | null | undefined;
  disabled: boolean;
  onChange: (exempt: readonly ExemptDraft[]) => void;
}) {
  const { gwid, exempt, error, disabled, onChange } = props;
  const [typed, setTyped] = useState('');
  const [picking, setPicking] = useState(false);
  const maySee = useMay('user.read');
  const add = (more: readonly ExemptDraft[]) => {
    const fresh = more.filter(({ device }) => !exempt.some((one) => one.device === device));
    onChange([...exempt, ...fresh]);
  };
  const addTyped = () => {
    const devices = [
      ...new Set(
        typed
          .split(/[\s,;，；]+/)
          .filter(Boolean)
          .map(plainDevice),
      ),
    ];
    add(devices.map((device) => ({ device, remark: '' })));
    setTyped('');
  };
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
            onChange={(remark) => onChange(exempt.map((other) => (other === one ? { ...one, remark } : other)))}
          />
          {!disabled && (
            <IconButton
              icon="trash"
              label={t('site_portal.exempt_remove', { device: one.device })}
              onClick={() => onChange(exempt.filter((other) => other !== one))}
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
            onChange={setTyped}
            error={error}
          />
          <div className="row">
            <Button icon="plus" why={typed.trim() === '' ? t('site_portal.exempt_type') : undefined} onClick={addTyped}>
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
            add(devices);
            setPicking(false);
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </fieldset>
  );
}
