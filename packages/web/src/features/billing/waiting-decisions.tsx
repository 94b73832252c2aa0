import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { money } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { ReasonDialog } from '../../ui/reason-dialog.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { FailedCard } from './failed-card.tsx';
import { refreshMoney } from './refresh-money.ts';

const path = '/api/v3/billing/decision/list';
type Waiting = Data<typeof path>['list'][number];

const isRefund = ({ kind }: Waiting) => kind === 'order' || kind === 'card';

/** Renders nothing while none waits. */
export function WaitingDecisions({ changesOnly = false }: { changesOnly?: boolean }) {
  const may = useMay('billing.write');
  const { data, error, refetch } = useRead(path, {});
  const [refused, setRefused] = useState<Waiting | null>(null);
  const rows = (data?.list ?? []).filter((row) => !changesOnly || !isRefund(row));
  const [first] = rows;
  if (error && !data) return <FailedCard title={t('billing.waiting')} error={error} retry={refetch} />;
  if (!data || !first) return null;
  return (
    <Card title={t('billing.waiting')}>
      <div className="stack">
        <p className="quiet">
          {changesOnly
            ? t('billing.waiting_changes_about')
            : t('billing.waiting_about', { limit: money(Number(first.limit)) })}
        </p>
        <ul className="stack">
          {rows.map((row) => (
            <li key={row.id} className="spread">
              <span>
                {row.amount !== null && <strong>{money(Number(row.amount))} </strong>}
                {t(`billing.waiting_${row.kind}`, { name: row.name })}
                <br />
                <ShortTime at={row.at} />{' '}
                {row.reason
                  ? t('billing.waiting_line', { by: row.by, reason: row.reason })
                  : t('billing.waiting_by', { by: row.by })}
              </span>
              {may && (
                <span className="row">
                  {row.may_confirm && (
                    <Button kind="link" onClick={() => confirm(row)}>
                      {t('billing.waiting_confirm')}
                    </Button>
                  )}
                  <Button kind="link" onClick={() => setRefused(row)}>
                    {t(row.mine ? 'billing.waiting_withdraw' : 'billing.waiting_refuse')}
                  </Button>
                </span>
              )}
            </li>
          ))}
        </ul>
      </div>
      {refused && <Refuse row={refused} onClose={() => setRefused(null)} />}
    </Card>
  );
}

function confirm({ id, amount, by, reason }: Waiting): void {
  const isChange = amount === null;
  ask({
    title: isChange
      ? t('billing.waiting_change_title')
      : t('billing.waiting_confirm_title', { amount: money(Number(amount)) }),
    body: (
      <p>{isChange ? t('billing.waiting_change_body', { by }) : t('billing.waiting_confirm_body', { by, reason })}</p>
    ),
    confirm: t('billing.waiting_confirm'),
    async act() {
      await call('/api/v3/billing/decision/confirm', { id });
      await refreshDecisions();
    },
  });
}

const members = /^\/api\/v3\/account\/(member|role)\//;

async function refreshDecisions(): Promise<void> {
  await refreshMoney();
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => members.test(String(queryKey[0])) });
}

function Refuse({ row, onClose }: { row: Waiting; onClose: () => void }) {
  const act = async (reason: string) => {
    await call('/api/v3/billing/decision/refuse', { id: row.id, reason });
    await refreshDecisions();
  };
  const title = t(row.mine ? 'billing.waiting_withdraw' : 'billing.waiting_refuse');
  return <ReasonDialog title={title} label={t('billing.refund_reason')} act={act} onClose={onClose} />;
}
