import { t } from '../../../app/i18n.ts';
import { useMay } from '../../../app/shell/current.ts';
import { useRead, useWrite } from '../../../app/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { minuteTime } from '../../../ui/format.ts';
import { notify } from '../../../ui/toast.tsx';

const refreshMs = 60_000;

/** Shows planned maintenance that goes on or is coming; nothing without any. */
export function MaintenanceNotice({ gwid }: { gwid: string }) {
  const may = useMay('network.write');
  const { data } = useRead('/api/v3/network/maintenance/list', { gwid }, { refetchMs: refreshMs });
  const end = useWrite('/api/v3/network/maintenance/end', [
    '/api/v3/network/maintenance/list',
    '/api/v3/log/action/list',
  ]);
  const finish = async (id: string) => {
    await end.mutateAsync({ ids: [id] });
    notify('ok', t('maintenance.ended'));
  };
  return data?.list.map(({ id, begins_at, ends_at, open, note, person }) => {
    const [from, to] = [minuteTime(new Date(begins_at)), minuteTime(new Date(ends_at))];
    return (
      <div key={id} className="notice spread">
        <span>
          {open ? t('maintenance.open', { to, person }) : t('maintenance.coming', { from, to, person })}
          {note && <span className="dim"> · {note}</span>}
        </span>
        {may && (
          <Button
            icon={open ? 'check' : 'close'}
            busy={end.isPending}
            onClick={() => void finish(id).catch(() => undefined)}
          >
            {open ? t('maintenance.end') : t('maintenance.cancel')}
          </Button>
        )}
      </div>
    );
  });
}
