import { t } from '../../app/i18n.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { TimeBucketField } from '../../ui/fields/time-field.tsx';

/** Periods per rule (contract: `passwordLimits.quiet`). */
const maxPeriods = 6;

/** An empty period counts as none. */
export function QuietField(props: {
  value: readonly string[];
  error: string | null | undefined;
  onChange: (value: readonly string[]) => void;
}) {
  const rows = props.value.length > 0 ? props.value : [''];
  const last = rows.length - 1;
  return (
    <div className="stack stack-s">
      {rows.map((period, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: periods have no identity but their place
        <div key={at} className="row">
          <TimeBucketField
            label={at === 0 ? t('password_rule.quiet') : t('password_rule.quiet_n', { n: at + 1 })}
            value={period}
            hint={at === last ? t('password_rule.quiet_hint') : undefined}
            error={at === last ? props.error : null}
            onChange={(next) => props.onChange(rows.map((one, index) => (index === at ? next : one)))}
          />
          {rows.length > 1 && (
            <IconButton
              icon="trash"
              label={t('password_rule.quiet_remove', { n: at + 1 })}
              onClick={() => props.onChange(rows.filter((_, index) => index !== at))}
            />
          )}
        </div>
      ))}
      {rows.length < maxPeriods && (
        <div>
          <Button icon="plus" onClick={() => props.onChange([...rows, ''])}>
            {t('password_rule.quiet_add')}
          </Button>
        </div>
      )}
    </div>
  );
}
