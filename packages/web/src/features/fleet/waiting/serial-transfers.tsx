import { useState } from 'react';
import type { Data } from '../../../app/api.ts';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { queryClient } from '../../../app/session.ts';
import { useRead } from '../../../app/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { exactTime, mac } from '../../../ui/format.ts';
import { Card } from '../../../ui/page.tsx';
import { ReasonDialog } from '../../../ui/reason-dialog.tsx';
import { notify } from '../../../ui/toast.tsx';

const path = '/api/v3/binding/transfer/list';
type Transfer = Data<typeof path>['list'][number];

/** Renders nothing if none. */
export function SerialTransfers() {
  const { data } = useRead(path, {});
  const [objecting, setObjecting] = useState<Transfer | null>(null);
  if (!data || data.list.length === 0) return null;
  return (
    <Card title={t('transfers.title')}>
      <div className="stack">
        <p className="quiet">{t('transfers.lead')}</p>
        <ul className="stack">
          {data.list.map((row) => (
            <li key={row.id} className="spread">
              <span>
                <strong className="mono">{mac(row.serial)}</strong>{' '}
                {t('transfers.line', { time: exactTime(new Date(row.due_at)), reason: row.reason })}
              </span>
              <Button kind="link" onClick={() => setObjecting(row)}>
                {t('transfers.object')}
              </Button>
            </li>
          ))}
        </ul>
      </div>
      {objecting && (
        <ReasonDialog
          title={t('transfers.object')}
          label={t('transfers.reason')}
          act={async (reason) => {
            await call('/api/v3/binding/transfer/object', { id: objecting.id, reason });
            await queryClient.invalidateQueries({ queryKey: [path] });
            notify('ok', t('transfers.objected'));
          }}
          onClose={() => setObjecting(null)}
        />
      )}
    </Card>
  );
}
