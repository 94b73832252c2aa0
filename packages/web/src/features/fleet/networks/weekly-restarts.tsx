import type { Data } from '../../../app/api.ts';
import { t } from '../../../app/i18n.ts';
import { useRead, useWrite } from '../../../app/use-call.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Failed } from '../../../ui/empty.tsx';
import { Card } from '../../../ui/page.tsx';
import { Loading } from '../../../ui/skeleton.tsx';
import { ShortTime } from '../../../ui/time.tsx';
import { notify } from '../../../ui/toast.tsx';

type Restart = Data<'/api/v3/network/restart/list'>['list'][number];

export function WeeklyRestarts({ gwid, may }: { gwid: string; may: boolean }) {
  const { data, error, refetch } = useRead('/api/v3/network/restart/list', { gwid });
  const remove = useWrite('/api/v3/network/restart/delete', [
    '/api/v3/network/restart/list',
    '/api/v3/log/action/list',
  ]);
  const end = async ({ scope, serial, group_id }: Restart) => {
    const subject = scope === 'device' ? { serial } : { scope, ...(group_id && { group_id }) };
    await remove.mutateAsync({ gwid, ...subject });
    notify('ok', t('restart.ended'));
  };
  return (
    <Card className="span-12" title={t('restart.list')}>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <Loading until={data !== undefined} lines={2}>
          {data?.list.length === 0 && <p className="small dim">{t('restart.none')}</p>}
          {data && data.list.length > 0 && (
            <table className="plain-table">
              <thead>
                <tr>
                  <th>{t('restart.what')}</th>
                  <th>{t('restart.days', { zone: data.time_zone })}</th>
                  <th>{t('restart.next')}</th>
                  <th>{t('restart.by')}</th>
                  <th>
                    <span className="sr">{t('action.delete')}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.list.map((row) => {
                  const what = whatOf(row);
                  return (
                    <tr key={`${row.scope} ${row.serial ?? row.group_id}`}>
                      <td>{what}</td>
                      <td>{`${row.weekdays.map((day) => t(`window.day_${day as 1}`)).join(' ')} ${row.start}`}</td>
                      <td>
                        <ShortTime at={row.next_at} />
                      </td>
                      <td>{row.created_by}</td>
                      <td>
                        {may && (
                          <IconButton
                            icon="trash"
                            label={t('restart.end', { name: what })}
                            onClick={() => void end(row).catch(() => undefined)}
                          />
                        )}
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          )}
        </Loading>
      )}
    </Card>
  );
}

function whatOf({ scope, name }: Restart): string {
  if (scope === 'device') return name;
  return scope === 'group' ? t('restart.of_group', { name }) : t(`restart.scope_${scope}`);
}
