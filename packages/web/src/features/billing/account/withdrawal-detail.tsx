import { t } from '../../../app/i18n.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { money } from '../../../ui/format.ts';
import { ShortTime } from '../../../ui/time.tsx';
import { type Withdrawal, WithdrawalStateTag } from '../withdrawal-columns.tsx';

export function WithdrawalDetail({ row, onClose }: { row: Withdrawal; onClose: () => void }) {
  const facts = (['holder', 'bank_card', 'id_card', 'requester', 'approver', 'settler'] as const).flatMap((name) =>
    row[name] === null ? [] : [{ name, value: row[name] }],
  );
  return (
    <Dialog title={t('withdraw.title', { amount: money(Number(row.amount)) })} drawer onClose={onClose}>
      <div className="stack">
        <div>
          <WithdrawalStateTag state={row.state} />
        </div>
        <dl className="facts">
          {(['amount', 'fee', 'net'] as const).map((name) => (
            <Fact key={name} term={t(`withdraw.${name}`)} value={money(Number(row[name]))} />
          ))}
          {facts.map(({ name, value }) => (
            <Fact key={name} term={t(`withdraw.${name}`)} value={value} />
          ))}
          <dt>{t('withdraw.requested_at')}</dt>
          <dd>
            <ShortTime at={row.requested_at} />
          </dd>
          {row.settled_at && (
            <>
              <dt>{t('withdraw.settled_at')}</dt>
              <dd>
                <ShortTime at={row.settled_at} />
              </dd>
            </>
          )}
          {(row.receipt ?? row.reason) && <Fact term={t('withdraw.result')} value={row.receipt ?? row.reason ?? ''} />}
        </dl>
      </div>
    </Dialog>
  );
}

function Fact({ term, value }: { term: string; value: string }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{value}</dd>
    </>
  );
}
