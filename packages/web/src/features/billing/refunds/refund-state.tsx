import type { Row } from '../../../app/api.ts';
import { t } from '../../../app/i18n.ts';
import { Tag, type Tone } from '../../../ui/status.tsx';

export type RefundRow = Row<'/api/v3/billing/refund/list'>;
type State = RefundRow['state'];

const tones: Readonly<Record<State, Tone>> = { asked: 'warn', accepted: 'info', arrived: 'ok', failed: 'bad' };

export const refundStates = Object.keys(tones) as State[];

export function RefundStateTag({ state, failure }: Pick<RefundRow, 'state' | 'failure'>) {
  return (
    <>
      <Tag tone={tones[state]}>{t(`billing.refund_${state}`)}</Tag>
      {failure && <span className="dim"> {failure}</span>}
    </>
  );
}
