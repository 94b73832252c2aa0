import { t } from '../../app/i18n.ts';
import { operatorName } from '../../ui/operator.ts';
import type { OperationRow } from './undo-button.tsx';

export function Operator({ row }: { row: OperationRow }) {
  return (
    <span className="row operator">
      <span className="ellipsis log-name" title={operatorName(row.operator)}>
        {operatorName(row.operator)}
      </span>
      {row.hosted && (
        <span className="label" title={t('log.hosted_hint')}>
          {t('log.hosted')}
        </span>
      )}
      {row.token_name !== null && <span className="label">{t('log.by_token', { name: row.token_name })}</span>}
    </span>
  );
}
