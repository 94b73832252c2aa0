import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { refreshUser } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { fieldError } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { MobileField } from '../../ui/rule-fields.tsx';
import { SentCode } from '../../ui/sent-code.tsx';
import { useForm } from '../../ui/use-form.ts';
import { maskMobile } from './mask.ts';
import { Steps } from './steps.tsx';

const focus = (element: HTMLElement | null) => element?.focus();

type Step = 'current' | 'new' | 'done';

/**
 * Three steps, each checked by the server; without a mobile from step two. Going back keeps the input.
 */
export function MobileDialog({ bound, onClose }: { bound: string | null; onClose: () => void }) {
  // fixed at opening: the change itself must not alter it
  const [from] = useState(bound);
  const steps: readonly Step[] = from === null ? ['new', 'done'] : ['current', 'new', 'done'];
  const [step, setStep] = useState<Step>(steps[0] ?? 'new');
  const [current, setCurrent] = useState('');
  const [mobile, setMobile] = useState('');
  const [code, setCode] = useState('');
  const form = useForm<'current' | 'mobile' | 'sms_code'>({ 4007: 'sms_code', 4010: 'mobile', 4012: 'mobile' });

  /** Rejects the current one before a code is sent. */
  const judgeNew = (value: string) => fieldError('mobile', value) ?? (value === from ? t('mobile_change.same') : null);
  const verify = () => {
    const inputError = fieldError('mobile', current) ?? (current === from ? null : t('validation.mobileMismatch'));
    return form.send({ current: inputError }, async () => {
      await call('/api/v3/profile/mobile_check', { mobile: current });
      setStep('new');
    });
  };
  const save = () =>
    form.send({ mobile: judgeNew(mobile), sms_code: /^\d{6}$/.test(code) ? null : t('code.required') }, async () => {
      await call('/api/v3/profile/mobile', { mobile, sms_code: code });
      setStep('done');
      await refreshUser();
    });
  const title = from === null ? t('mobile_change.bind') : t('mobile_change.title');
  const names = { current: t('mobile_change.step_current'), new: t('mobile_change.step_new'), done: t('steps.done') };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={step === 'current' ? verify : step === 'new' ? save : onClose}
      foot={
        step === 'done' ? (
          <button ref={focus} type="submit" className="btn btn-primary">
            {t('steps.finish')}
          </button>
        ) : (
          <>
            {step === 'new' && from !== null ? (
              <Button onClick={() => setStep('current')}>{t('steps.back')}</Button>
            ) : (
              <Button onClick={onClose}>{t('action.cancel')}</Button>
            )}
            <Button kind="primary" type="submit" busy={form.busy}>
              {step === 'current' ? t('steps.next') : t('mobile_change.submit')}
            </Button>
          </>
        )
      }
    >
      <Steps names={steps.map((each) => names[each])} at={steps.indexOf(step)} />
      <div className="fields" ref={form.fields}>
        {step === 'current' && (
          <MobileField
            key="current"
            label={t('mobile_change.current')}
            hint={t('mobile_change.current_hint', { mobile: maskMobile(from ?? '') })}
            value={current}
            onChange={setCurrent}
            error={form.wrong.current}
            autoFocus
          />
        )}
        {step === 'new' && (
          <>
            <MobileField
              key="new"
              label={t('mobile_change.new')}
              value={mobile}
              onChange={setMobile}
              error={form.wrong.mobile}
              autoFocus
            />
            <SentCode
              way="mobile"
              to={mobile}
              why={judgeNew(mobile)}
              onRefused={(why) => form.setWrong({ mobile: why })}
              ask={() => call('/api/v3/sms_code_for_mobile/:mobile', { mobile })}
              value={code}
              onChange={setCode}
              error={form.wrong.sms_code}
            />
          </>
        )}
        {step === 'done' && (
          <div className="done" role="status">
            <Icon name="check" size={28} />
            <p>
              {from === null
                ? t('mobile_change.bound', { mobile: maskMobile(mobile) })
                : t('mobile_change.changed', { mobile: maskMobile(mobile) })}
            </p>
          </div>
        )}
      </div>
    </Dialog>
  );
}
