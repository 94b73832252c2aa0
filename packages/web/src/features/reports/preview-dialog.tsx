import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/empty.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { type Period, periods } from './report.ts';
import './reports.css';

/** Shows the mail as a mail program does: in a frame without scripts. */
export function PreviewDialog({ period: first, onClose }: { period: Period; onClose: () => void }) {
  const [period, setPeriod] = useState(first);
  const { data, error, refetch } = useRead('/api/v3/report/preview', { period }, { keepPrevious: true });
  return (
    <Dialog
      wide
      title={t('reports.preview')}
      onClose={onClose}
      foot={<Button onClick={onClose}>{t('action.close')}</Button>}
    >
      <div className="stack">
        <Choice
          label={t('reports.period')}
          hideLabel
          value={period}
          onChange={setPeriod}
          options={periods.map((value) => ({ value, label: t(`reports.period_${value}`) }))}
        />
        {error && !data ? (
          <Failed error={error} retry={() => void refetch()} small />
        ) : (
          <Loading until={data !== undefined} lines={8}>
            <p>
              <span className="dim">{t('reports.preview_of')}</span> <strong>{data?.subject}</strong>
            </p>
            <iframe className="report-frame" title={t('reports.preview_frame')} sandbox="" srcDoc={data?.html} />
          </Loading>
        )}
      </div>
    </Dialog>
  );
}
