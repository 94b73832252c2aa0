import type { Row } from '../../../app/api.ts';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { queryClient } from '../../../app/session.ts';
import { useRead } from '../../../app/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { ask } from '../../../ui/dialog-host.tsx';
import { clock, mac } from '../../../ui/format.ts';
import { Card } from '../../../ui/page.tsx';
import { RelativeTime } from '../../../ui/time.tsx';
import { notify } from '../../../ui/toast.tsx';

type Request = Row<'/api/v3/binding/request/list'>;
type Decision = 'allow' | 'refuse';

const path = '/api/v3/binding/request/list';

/** Lists requests without a proof by the old key; nothing if none. */
export function EnrolmentRequests() {
  const { data } = useRead(path, { limit: 50 }, { refetchMs: 5000 });
  if (!data || data.total === 0) return null;
  return (
    <Card title={t('requests.title')}>
      <p className="quiet">{t('requests.lead')}</p>
      <div className="table-scroll">
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t('requests.device')}</th>
              <th>{t('requests.device_ip')}</th>
              <th>{t('requests.ip')}</th>
              <th>{t('requests.says')}</th>
              <th>{t('requests.last')}</th>
              <th>
                <span className="sr">{t('requests.decision')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.list.map((row) => (
              <tr key={`${row.serial} ${row.ip}`}>
                <td>
                  {row.name} <span className="mono dim">{mac(row.serial)}</span>
                </td>
                <td>
                  <span className="mono">{row.device_ip ?? '–'}</span>{' '}
                  <span className="dim">{t(row.online ? 'requests.online' : 'requests.offline')}</span>
                </td>
                <td className="mono">{row.ip}</td>
                <td>{[row.platform, row.model, row.code_name].filter(Boolean).join(' · ') || '–'}</td>
                <td>
                  <RelativeTime at={row.last_at} />
                </td>
                <td>
                  {row.allowed_until ? (
                    <span className="dim">
                      {t('requests.allowed_until', { time: clock(new Date(row.allowed_until)) })}
                    </span>
                  ) : (
                    <div className="row">
                      <Button kind="link" onClick={() => confirm(row, 'allow')}>
                        {t('requests.allow')}
                      </Button>
                      <Button kind="link" className="btn-bad" onClick={() => confirm(row, 'refuse')}>
                        {t('requests.refuse')}
                      </Button>
                    </div>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function confirm({ serial, name, ip }: Request, decision: Decision): void {
  ask({
    title: t(`requests.${decision}_title`, { name }),
    body: t(`requests.${decision}_body`, { serial: mac(serial), ip }),
    confirm: t(`requests.${decision}`),
    danger: decision === 'refuse',
    act: async () => {
      await call('/api/v3/binding/request/decide', { serial, ip, decision });
      await queryClient.invalidateQueries({ queryKey: [path] });
      notify('ok', t(`requests.${decision}_done`));
    },
  });
}
