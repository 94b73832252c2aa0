import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/empty.tsx';
import { momentTyped } from '../../ui/format.ts';
import { Loading } from '../../ui/skeleton.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';
import type { Template } from './draft.ts';
import { dropsOf, type Impact, ImpactView } from './impact.tsx';
import { planOf, usualPlan } from './plan.ts';
import { PlanFields, planWrong } from './plan-field.tsx';
import { TargetField } from './target-field.tsx';
import { type TargetKind, targetsOf } from './targets.ts';

type Step = 'targets' | 'impact' | 'plan';

/** Pushes a template version, or removes it. Nothing is sent before the last step. */
export function PushDialog(props: {
  template: Pick<Template, 'id' | 'name' | 'kind'>;
  /** Null: remove the template. */
  version: number | null;
  to?: { kind: TargetKind; picked: readonly string[] };
  onClose: () => void;
}) {
  const { template, version, to, onClose } = props;
  const { id } = template;
  const navigate = useNavigate();
  const [step, setStep] = useState<Step>(to ? 'impact' : 'targets');
  const [kind, setKind] = useState<TargetKind>(to?.kind ?? 'network');
  const [picked, setPicked] = useState<readonly string[]>(to?.picked ?? []);
  const [missing, setMissing] = useState<string | null>(null);
  const [plan, setPlan] = useState(usualPlan);
  const [wrong, setWrong] = useState<ReturnType<typeof planWrong>>({});
  const [busy, setBusy] = useState(false);
  const [everywhere, setEverywhere] = useState(version === null);
  const targets = everywhere ? {} : targetsOf(kind, picked);
  const off = version === null;
  const { data, error, isFetching, refetch } = useQuery<Impact>({
    queryKey: ['template impact', id, version, targets],
    queryFn: () => call('/api/v3/wireless_template/preview', { id, version, ...targets }),
    enabled: step !== 'targets',
    gcTime: 0,
    retry: false,
  });
  const changed = data?.totals.changed ?? 0;
  const push = async () => {
    const inputErrors = planWrong(plan);
    setWrong(inputErrors);
    if (Object.keys(inputErrors).length > 0) return;
    setBusy(true);
    try {
      const start_at = plan.start ? momentTyped(plan.start).toISOString() : null;
      const { devices, job_id } = await call('/api/v3/wireless_template/apply', {
        id,
        version,
        ...targets,
        plan: planOf(plan),
        start_at,
      });
      const reported = start_at ? 'scheduled' : 'started';
      notify(
        'ok',
        job_id === null
          ? t('take_off.done', { name: template.name })
          : t(off ? `take_off.${reported}` : `push.${reported}`, { n: devices }),
      );
      await queryClient.invalidateQueries();
      onClose();
      void navigate({
        to: `/config/template_wireless/${template.kind}_edit/$id`,
        params: { id } as never,
        search: { tab: 'pushes' } as never,
      });
    } catch (problem) {
      notifyError(problem);
    }
    setBusy(false);
  };
  const next = () => {
    if (step === 'targets') {
      const isEmpty = !everywhere && picked.length === 0;
      setMissing(isEmpty ? t('validation.minItems', { min: 1 }) : null);
      if (!isEmpty) setStep('impact');
    } else if (step === 'impact') setStep('plan');
    else void push();
  };
  const back = () => setStep(step === 'plan' ? 'impact' : 'targets');
  return (
    <Dialog
      wide
      title={off ? t('take_off.title', { name: template.name }) : t('push.title', { name: template.name, n: version })}
      onClose={onClose}
      onSubmit={next}
      foot={
        <>
          {step === 'targets' ? (
            <Button onClick={onClose}>{t('action.cancel')}</Button>
          ) : (
            <Button onClick={back}>{t('push.back')}</Button>
          )}
          <Button
            kind="primary"
            type="submit"
            busy={busy || (step === 'impact' && isFetching)}
            why={step === 'targets' ? undefined : blocked(data, off, everywhere)}
          >
            {step === 'plan' ? t(off ? 'take_off.act' : 'push.push', { n: changed }) : t(`push.next_${step}`)}
          </Button>
        </>
      }
    >
      <ol className="push-steps" aria-label={t('push.steps')}>
        {(['targets', 'impact', 'plan'] as const).map((one, index) => (
          <li key={one} aria-current={one === step ? 'step' : undefined}>
            <span>{index + 1}</span>
            {t(`push.step_${one}`)}
          </li>
        ))}
      </ol>
      {step === 'targets' && off && <Where everywhere={everywhere} onChange={setEverywhere} />}
      {step === 'targets' && !everywhere && (
        <TargetField
          off={off}
          of={template.kind}
          kind={kind}
          value={picked}
          error={missing}
          onKind={(chosen) => {
            setKind(chosen);
            setPicked([]);
            setMissing(null);
          }}
          onChange={setPicked}
        />
      )}
      {step === 'impact' &&
        (error ? (
          <Failed error={error} retry={() => void refetch()} small />
        ) : (
          <Loading until={data !== undefined} lines={6}>
            {data && <ImpactView impact={data} template={id} off={off ? targets : null} />}
          </Loading>
        ))}
      {step === 'plan' && (
        <>
          <p className="quiet">{t('push.plan_body', { n: changed })}</p>
          <ul className="small quiet impact-facts">
            {data && dropsOf(data.totals).map((fact) => <li key={fact}>{fact}</li>)}
          </ul>
          <PlanFields
            draft={plan}
            onChange={setPlan}
            wrong={wrong}
            push={{ id, version, ...targets }}
            unchanged={data?.totals.unchanged ?? 0}
          />
          <p className="small dim">{t('push.firmware_note')}</p>
        </>
      )}
    </Dialog>
  );
}

function Where({ everywhere, onChange }: { everywhere: boolean; onChange: (everywhere: boolean) => void }) {
  return (
    <>
      <Choice
        label={t('take_off.where')}
        value={everywhere ? 'everywhere' : 'some'}
        options={(['everywhere', 'some'] as const).map((value) => ({ value, label: t(`take_off.${value}`) }))}
        onChange={(chosen) => onChange(chosen === 'everywhere')}
      />
      <p className="small quiet">{t(everywhere ? 'take_off.everywhere_hint' : 'take_off.some_hint')}</p>
    </>
  );
}

/** Removing everywhere needs no devices. */
function blocked(impact: Impact | undefined, off: boolean, everywhere: boolean): string | undefined {
  if (!impact) return t('push.not_yet');
  if (everywhere) return undefined;
  return impact.totals.devices === 0 ? t(off ? 'impact.none' : 'impact.no_devices') : undefined;
}
