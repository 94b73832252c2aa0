import { t } from '../../app/i18n.ts';
import { Choice } from '../../ui/choice.tsx';
import { CheckField } from '../../ui/field.tsx';
import { MomentField } from '../../ui/fields/moment-field.tsx';
import { isPast, momentTyped } from '../../ui/format.ts';
import { NumberField } from '../../ui/rule-fields.tsx';

export interface PlanDraft {
  first: string;
  percent: string;
  restMinutes: string;
  stopAbove: string;
  /** Null: at once; else `2026-11-20T08:05` in the person's time zone. */
  startAt: string | null;
  windows: boolean;
}

export const usualPlan: PlanDraft = {
  first: '3',
  percent: '20',
  restMinutes: '10',
  stopAbove: '5',
  startAt: null,
  windows: false,
};
export type PlanField = 'first' | 'percent' | 'rest_s' | 'stop_above' | 'start_at';

const within = (text: string, min: number, max: number) => /^\d+$/.test(text) && +text >= min && +text <= max;
const between = (min: number, max: number) => t('validation.between', { min, max });

export function planWrong(draft: PlanDraft): Partial<Record<PlanField, string | null>> {
  return {
    first: within(draft.first, 0, 100) ? null : between(0, 100),
    percent: within(draft.percent, 1, 100) ? null : between(1, 100),
    rest_s: within(draft.restMinutes, 0, 1440) ? null : between(0, 1440),
    stop_above: within(draft.stopAbove, 0, 100) ? null : between(0, 100),
    start_at: startWrong(draft.startAt),
  };
}

export function startWrong(startAt: string | null): string | null {
  if (startAt === '') return t('validation.required');
  return startAt !== null && isPast(startAt) ? t('validation.future') : null;
}

export function planOf({ first, percent, restMinutes, stopAbove, startAt, windows }: PlanDraft) {
  return {
    first: +first,
    percent: +percent,
    rest_s: +restMinutes * 60,
    stop_above: +stopAbove,
    windows,
    ...(startAt && { start_at: momentTyped(startAt).toISOString() }),
  };
}

export function PlanFields(props: {
  draft: PlanDraft;
  onChange: (draft: PlanDraft) => void;
  wrong: Partial<Record<PlanField, string | null | undefined>>;
}) {
  const { draft, onChange, wrong } = props;
  const set = (part: Partial<PlanDraft>) => onChange({ ...draft, ...part });
  return (
    <>
      <div className="firmware-plan">
        <NumberField
          label={t('firmware.first')}
          hint={t(/^0+$/.test(draft.first) ? 'firmware.first_none' : 'firmware.first_hint')}
          min={0}
          max={100}
          value={draft.first}
          onChange={(first) => set({ first })}
          error={wrong.first}
        />
        <NumberField
          label={t('firmware.percent')}
          hint={t('firmware.percent_hint')}
          min={1}
          max={100}
          value={draft.percent}
          onChange={(percent) => set({ percent })}
          error={wrong.percent}
        />
        <NumberField
          label={t('firmware.rest')}
          hint={t('firmware.rest_hint')}
          min={0}
          max={1440}
          value={draft.restMinutes}
          onChange={(restMinutes) => set({ restMinutes })}
          error={wrong.rest_s}
        />
        <NumberField
          label={t('firmware.stop')}
          hint={t('firmware.stop_hint')}
          min={0}
          max={100}
          value={draft.stopAbove}
          onChange={(stopAbove) => set({ stopAbove })}
          error={wrong.stop_above}
        />
      </div>
      <Choice
        label={t('firmware.begin')}
        value={draft.startAt === null ? 'now' : 'at'}
        options={[
          { value: 'now', label: t('firmware.begin_now') },
          { value: 'at', label: t('firmware.begin_at') },
        ]}
        onChange={(when) => set({ startAt: when === 'now' ? null : '' })}
      />
      {draft.startAt !== null && (
        <StartAt value={draft.startAt} onChange={(startAt) => set({ startAt })} error={wrong.start_at} />
      )}
      <CheckField checked={draft.windows} onChange={(windows) => set({ windows })}>
        {t('firmware.windows')}
      </CheckField>
    </>
  );
}

export function StartAt(props: { value: string; onChange: (value: string) => void; error: string | null | undefined }) {
  return <MomentField label={t('firmware.begin_time')} {...props} />;
}
