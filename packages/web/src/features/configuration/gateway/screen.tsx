import { Suspense, useState } from 'react';
import { t } from '../../../app/i18n.ts';
import { RemoteDialog } from '../../../app/lazy-parts.ts';
import { useMay, useParam } from '../../../app/shell/current.ts';
import { useRead } from '../../../app/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { TrialNotice } from '../../../ui/commit-confirm-notice.tsx';
import { SiteCrumb } from '../../../ui/site-crumb.tsx';
import { StatusTag, SyncChip } from '../../../ui/status.tsx';
import { Gateway } from './settings.tsx';

/** Poll interval of the sync state, in milliseconds; live facts do not cover every step. */
const refreshMs = 15_000;

export function GatewayScreen() {
  const gwid = useParam('gwid');
  const mayRead = useMay('network.read');
  const { data } = useRead('/api/v3/network/gateway/get', { gwid });
  const mayReach = useMay('remote.use');
  const [isOpening, setOpening] = useState(false);
  const { data: network } = useRead('/api/v3/network/detail', { gwid }, { enabled: mayRead, refetchMs: refreshMs });
  return (
    <div className="page">
      <div>
        <SiteCrumb gwid={gwid} />
        <div className="page-head">
          <div className="page-title">
            <h1>{t('gateway.title')}</h1>
            {data?.gateway && (
              <>
                <span className="quiet ellipsis">{data.gateway.name}</span>
                <StatusTag status={data.gateway.status} />
                {network?.sync_state && (
                  <SyncChip
                    state={network.sync_state}
                    trialUntil={network.trial_until}
                    returnedAt={network.returned_at}
                    reason={network.sync_reason}
                  />
                )}
              </>
            )}
          </div>
          {data?.gateway && mayReach && (
            <div className="row">
              <Button icon="monitor" onClick={() => setOpening(true)}>
                {t('device.terminal')}
              </Button>
            </div>
          )}
        </div>
      </div>
      {data?.gateway && isOpening && (
        <Suspense>
          <RemoteDialog
            target={{ serial: data.gateway.serial }}
            name={data.gateway.name}
            onClose={() => setOpening(false)}
          />
        </Suspense>
      )}
      {network && <TrialNotice data={network} settings />}
      <Gateway gwid={gwid} />
    </div>
  );
}
