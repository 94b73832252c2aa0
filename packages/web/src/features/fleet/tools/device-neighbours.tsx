import { t } from '../../../app/i18n.ts';
import { useMay } from '../../../app/shell/current.ts';
import { useRead, useWrite } from '../../../app/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty, Failed } from '../../../ui/empty.tsx';
import { Loading } from '../../../ui/skeleton.tsx';
import { RelativeTime } from '../../../ui/time.tsx';
import { isOpen } from './labels.ts';
import { ToolResult } from './tool-result.tsx';

export function DeviceNeighbours({ serial, online }: { serial: string; online: boolean }) {
  const mayWrite = useMay('network.write');
  const { data, error, refetch } = useRead('/api/v3/network/tool/list', {
    serial,
    tool: 'wifiscan',
    page: 1,
    limit: 10,
  });
  const scan = useWrite('/api/v3/network/tool/run', ['/api/v3/network/tool/list', '/api/v3/job/list']);
  if (error && !data) return <Failed error={error} retry={() => void refetch()} small />;
  const latest = data?.list[0];
  const under = latest !== undefined && isOpen(latest);
  return (
    <div className="stack">
      <div className="spread">
        <span className="small dim">
          {latest?.finished_at && (
            <>
              {t('neighbours.as_of')} <RelativeTime at={latest.finished_at} />
            </>
          )}
        </span>
        {mayWrite && (
          <Button
            icon="refresh"
            busy={scan.isPending || under}
            why={online ? undefined : t('networks.offline_why')}
            onClick={() => scan.mutate({ serial, tool: 'wifiscan' })}
          >
            {t('neighbours.scan')}
          </Button>
        )}
      </div>
      <p className="small dim">{t('tools.what_wifiscan')}</p>
      <Loading until={data !== undefined} lines={5}>
        {latest ? (
          <ToolResult id={latest.id} />
        ) : (
          <Empty icon="wifi" title={t('neighbours.none')} small>
            {t('neighbours.none_body')}
          </Empty>
        )}
      </Loading>
    </div>
  );
}
