import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { exactTime, money } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { notify } from '../../ui/toast.tsx';
import { refreshWithdrawals } from './any-withdrawal.ts';

const rulePath = '/api/v3/install/withdrawal/rule';
const orphansPath = '/api/v3/install/decision/list';
type Pending = NonNullable<Data<typeof rulePath>['pending']>;
type Orphan = Data<typeof orphansPath>['list'][number];

async function again(): Promise<void> {
  await refreshWithdrawals();
  await queryClient.invalidateQueries({ queryKey: [orphansPath] });
}
const isDue = (time: string) => Date.parse(time) <= Date.now();
const atTime = (time: string) => exactTime(new Date(time));

/** Renders nothing while none waits. */
export function SecondPersons() {
  const { data: rule } = useRead(rulePath, {});
  const { data: orphans } = useRead(orphansPath, {});
  const pending = rule?.pending ?? null;
  const rows = orphans?.list ?? [];
  if (!pending && rows.length === 0) return null;
  return (
    <Card title={t('withdraw.second')}>
      <ul className="stack">
        {pending && <PendingLimit pending={pending} />}
        {rows.map((row) => (
          <OrphanRow key={row.id} row={row} />
        ))}
      </ul>
    </Card>
  );
}

function PendingLimit({ pending }: { pending: Pending }) {
  const { two_persons_above: to, by, mine, stand_in_at: aloneAt } = pending;
  return (
    <li className="spread">
      <span>
        <strong>
          {to === null ? t('withdraw.second_no_limit') : t('withdraw.second_limit', { to: money(Number(to)) })}
        </strong>
        <br />
        {t('billing.waiting_by', { by })}
        {mine && aloneAt && (
          <>
            <br />
            <span className="dim">{t('withdraw.second_stand_in', { time: atTime(aloneAt) })}</span>
          </>
        )}
      </span>
      <span className="row">
        {(!mine || (aloneAt !== null && isDue(aloneAt))) && (
          <Button kind="link" onClick={confirmLimit}>
            {t('withdraw.second_confirm')}
          </Button>
        )}
        <Button kind="link" onClick={() => void send('/api/v3/install/withdrawal/rule/refuse', {})}>
          {t(mine ? 'withdraw.second_withdraw' : 'withdraw.second_refuse')}
        </Button>
      </span>
    </li>
  );
}

function OrphanRow({ row }: { row: Orphan }) {
  const { id, kind, amount, name, account, by, reason, from } = row;
  return (
    <li className="spread">
      <span>
        {amount !== null && <strong>{money(Number(amount))} </strong>}
        {t(`billing.waiting_${kind}`, { name })}
        <br />
        {reason ? t('billing.waiting_line', { by, reason }) : t('billing.waiting_by', { by })}
        <br />
        <span className="dim">{t('withdraw.second_orphan', { account, time: atTime(from) })}</span>
      </span>
      {isDue(from) && (
        <Button
          kind="link"
          onClick={() =>
            ask({
              title: t('withdraw.second_title'),
              body: t('withdraw.second_orphan', { account, time: atTime(from) }),
              confirm: t('withdraw.second_confirm'),
              act: () => send('/api/v3/install/decision/confirm', { id }),
            })
          }
        >
          {t('withdraw.second_confirm')}
        </Button>
      )}
    </li>
  );
}

function confirmLimit(): void {
  ask({
    title: t('withdraw.second_limit_title'),
    body: t('withdraw.second_limit_body'),
    confirm: t('withdraw.second_confirm'),
    act: () => send('/api/v3/install/withdrawal/rule/confirm', {}),
  });
}

async function send(...[path, input]: Parameters<typeof call>): Promise<void> {
  await call(path, input);
  await again();
  notify('ok', t('withdraw.second_done'));
}
