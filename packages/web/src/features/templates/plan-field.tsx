import { rules } from '@yunxun/contract/rules';
import type { Input } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Choice } from '../../ui/choice.tsx';
import { CheckField } from '../../ui/field.tsx';
import { MomentField } from '../../ui/fields/moment-field.tsx';
import { isPast } from '../../ui/format.ts';
import { NumberField } from '../../ui/rule-fields.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import { type PlanDraft, type PlanField, planLimits, planNumbers, planOf } from './plan.ts';

export function planWrong(draft: PlanDraft): Partial<Record<PlanField, string>> {
  const past = draft.start !== '' && isPast(draft.start) ? { start: t('validation.future') } : {};
  return draft.way === 'at_once' ? past : { ...numbersWrong(draft), ...past };
}

function numbersWrong(draft: PlanDraft): Partial<Record<PlanField, string>> {
  return Object.fromEntries(
    planNumbers.flatMap((field) => {
      const [min, max] = planLimits[field];
      const value = rules.integer.test(draft[field]) ? Number(draft[field]) : Number.NaN;
      return value >= min && value <= max ? [] : [[field, t('validation.between', { min, max })]];
    }),
  );
}

type Push = Omit<Input<'/api/v3/wireless_template/preview_waves'>, 'plan'>;

/** Returns each wave's device count from the server; empty while unknown. */
function useWaves(draft: PlanDraft, push: Push): readonly number[] {
  const sound = draft.way === 'waves' && Object.keys(numbersWrong(draft)).length === 0;
  const { canary, share } = planOf(draft);
  const typed = JSON.stringify({ canary, share });
  const debounced = useDebounced(typed);
  const { data } = useRead(
    '/api/v3/wireless_template/preview_waves',
    { ...push, plan: JSON.parse(debounced) as Input<'/api/v3/wireless_template/preview_waves'>['plan'] },
    { enabled: sound && debounced === typed },
  );
  return sound && debounced === typed ? (data?.waves ?? []) : [];
}

export function PlanFields(props: {
  draft: PlanDraft;
  onChange: (draft: PlanDraft) => void;
  wrong: Partial<Record<PlanField, string>>;
  push: Push;
  /** Targets that have it already. The waves hold them, and skip them when they run. */
  unchanged: number;
}) {
  const { draft, onChange, wrong, push, unchanged } = props;
  const waves = useWaves(draft, push);
  return (
    <div className="stack">
      <Choice
        label={t('push.way')}
        value={draft.way}
        options={(['waves', 'at_once'] as const).map((value) => ({ value, label: t(`push.way_${value}`) }))}
        onChange={(way) => onChange({ ...draft, way })}
      />
      {draft.way === 'waves' && (
        <div className="pair">
          {planNumbers.map((field) => {
            const [min, max] = planLimits[field];
            return (
              <NumberField
                key={field}
                label={t(`push.${field}`)}
                hint={t(field === 'canary' && /^0+$/.test(draft.canary) ? 'push.canary_none' : `push.${field}_hint`)}
                min={min}
                max={max}
                value={draft[field]}
                error={wrong[field]}
                onChange={(value) => onChange({ ...draft, [field]: value })}
              />
            );
          })}
        </div>
      )}
      {waves.length > 1 && (
        <p className="small quiet" role="status">
          {t('push.waves', {
            n: waves.length,
            sizes: waves.slice(0, 8).join(' → ') + (waves.length > 8 ? ' → …' : ''),
          })}
        </p>
      )}
      {waves.length > 1 && unchanged > 0 && (
        <p className="small quiet">{t('push.waves_unchanged', { n: unchanged })}</p>
      )}
      <MomentField
        label={t('push.start')}
        hint={t('push.start_hint')}
        value={draft.start}
        error={wrong.start}
        onChange={(start) => onChange({ ...draft, start })}
      />
      <CheckField checked={draft.windows} onChange={(on) => onChange({ ...draft, windows: on })}>
        {t('push.windows')}
      </CheckField>
    </div>
  );
}
