import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Failed } from '../../ui/empty.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { DropFacts } from './drop-facts.tsx';

export function RevertPreview({ gwid, to }: { gwid: string; to: number }) {
  const { data, error, refetch } = useRead('/api/v3/network/wireless/revert_preview', { gwid, to });
  if (error && !data) return <Failed small error={error} retry={() => void refetch()} />;
  return (
    <Loading until={data !== undefined} lines={2}>
      {data && (
        <div className="preview-sum">
          <p>
            <strong>
              {data.totals.devices === 0
                ? t('wireless.preview_none')
                : t('wireless.preview_sum', { changed: data.totals.changed, devices: data.totals.devices })}
            </strong>
          </p>
          <DropFacts drops={data.drops} />
          {data.totals.offline > 0 && (
            <p className="small quiet">{t('wireless.preview_offline', { n: data.totals.offline })}</p>
          )}
        </div>
      )}
    </Loading>
  );
}
