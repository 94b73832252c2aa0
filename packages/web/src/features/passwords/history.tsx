import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/empty.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { cycleText, type Rule } from './password-rule.ts';
import { Shown } from './shown.tsx';

export function History({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const may = useMay('config.write');
  const [shown, setShown] = useState<number | null>(null);
  const { data, error, refetch } = useRead('/api/v3/ac_password/rule/history', { id: rule.id });
  return (
    <Dialog drawer title={rule.name} onClose={onClose}>
      <p className="quiet">{t('password_rule.summary', { ssid: rule.ssid, cycle: cycleText(rule) })}</p>
      {rule.plan.emails.length > 0 && (
        <p className="quiet">{t('password_rule.mailed_to', { emails: rule.plan.emails.join(', ') })}</p>
      )}
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : (
        <Loading until={data !== undefined} lines={5}>
          <table className="plain-table">
            <thead>
              <tr>
                <th>{t('password_rule.from')}</th>
                <th>{t('password_rule.to')}</th>
                <th>{t('password_rule.cause')}</th>
                <th aria-label={t('password_rule.show')} />
              </tr>
            </thead>
            <tbody>
              {data?.list.map((one) => (
                <tr key={one.seq}>
                  <td>
                    <ShortTime at={one.valid_from} />
                  </td>
                  <td>
                    {one.valid_to ? (
                      <ShortTime at={one.valid_to} />
                    ) : (
                      <Tag tone="ok">{t('password_rule.in_force')}</Tag>
                    )}
                  </td>
                  <td>
                    {t(`password_rule.cause_${one.cause}`)}
                    {one.cause !== 'plan' && <div className="small dim ellipsis">{one.made_by}</div>}
                  </td>
                  <td className="right">
                    {may && (
                      <Button kind="link" onClick={() => setShown(one.seq)}>
                        {t('password_rule.show')}
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Loading>
      )}
      {shown !== null && <Shown rule={rule} seq={shown} onClose={() => setShown(null)} />}
    </Dialog>
  );
}
