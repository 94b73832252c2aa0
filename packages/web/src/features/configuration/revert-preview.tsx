import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import type { Reverted } from '../../app/lazy-parts.ts';
import { useRead } from '../../app/use-call.ts';
import type { Answer } from '../../ui/answer.tsx';
import { Failed } from '../../ui/empty.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { DropFacts } from './drop-facts.tsx';

type Preview = Data<'/api/v3/network/wireless/revert_preview'>;

export function RevertPreview(of: Reverted) {
  return 'gwid' in of ? <OfNetwork {...of} /> : <OfGroup {...of} />;
}

function OfNetwork({ gwid, to }: { gwid: string; to: number }) {
  return <Effects answer={useRead('/api/v3/network/wireless/revert_preview', { gwid, to })} />;
}

function OfGroup({ group_id, to }: { group_id: string; to: number }) {
  return <Effects answer={useRead('/api/v3/ap/group/settings/revert_preview', { group_id, to })} />;
}

function Effects({ answer: { data, error, refetch } }: { answer: Answer<Preview> }) {
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
