import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { portTitle } from './labels.ts';
import { cycleWhy, PowerDialog } from './power-dialog.tsx';

/** For a device that is offline: its switch may still reach it. */
export function PowerOffer({ gwid, mac, name }: { gwid: string; mac: string; name: string }) {
  const { data } = useRead('/api/v3/switch/port/find', { gwid, mac });
  const [isAsking, setAsking] = useState(false);
  if (!data) return null;
  const { found } = data;
  if (!found) return <p className="notice">{t('ports.offer_unknown')}</p>;
  const why = cycleWhy(found.port, found.status === 'online');
  const place = { port: portTitle(found.port), name: found.name || found.serial };
  return (
    <div className="notice">
      <div>
        <p>{t(why ? 'ports.offer_gate' : 'ports.offer_at', place)}</p>
        {why && <p className="small">{why}</p>}
      </div>
      {!why && (
        <Button icon="bolt" onClick={() => setAsking(true)}>
          {t('ports.offer')}
        </Button>
      )}
      {isAsking && (
        <PowerDialog {...found} switchName={found.name} about={{ mac, name }} onClose={() => setAsking(false)} />
      )}
    </div>
  );
}
