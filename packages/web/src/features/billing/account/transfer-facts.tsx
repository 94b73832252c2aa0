import { Fragment } from 'react';
import type { Data } from '../../../app/api.ts';
import { t } from '../../../app/i18n.ts';
import { CopyText } from '../../../ui/copy.tsx';
import { money } from '../../../ui/format.ts';

export type TransferTo = NonNullable<Data<'/api/v3/billing/recharge'>['transfer']>;

export function TransferFacts({ to }: { to: TransferTo }) {
  const { amount, ...texts } = to;
  return (
    <div className="stack">
      <p className="notice">{t('payment.transfer_about')}</p>
      <dl className="facts">
        <dt>{t('payment.amount')}</dt>
        <dd>
          <strong>{money(Number(amount))}</strong>
        </dd>
        {(['payee', 'account_no', 'bank', 'reference'] as const).map((name) => (
          <Fragment key={name}>
            <dt>{t(`payment.${name}`)}</dt>
            <dd>
              <CopyText text={texts[name]} label={t('payment.copy', { name: t(`payment.${name}`) })} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </div>
  );
}
