import { t } from '../../app/i18n.ts';
import { Card } from '../../ui/page.tsx';
import { SdwanTag } from './labels.tsx';
import type { NetworkDetail } from './one-network.tsx';
import { verdictOf } from './verdict.ts';

export function VerdictCard({ detail }: { detail: NetworkDetail }) {
  const { network, stale } = detail;
  const { tone, text } = verdictOf(detail);
  return (
    <Card>
      <div className={`sdwan-verdict sdwan-${tone}`} role="status">
        <p className="sdwan-verdict-line">
          <SdwanTag status={network.status} />
          <strong>{text}</strong>
        </p>
        <p className="small dim">
          {t('sdwan.verdict.figures', {
            online: network.online,
            nodes: network.nodes,
            up: network.tunnels_up,
            tunnels: network.tunnels,
            routes: network.route_count,
          })}
        </p>
        {stale.length > 0 && <p className="small">{t('sdwan.stale', { n: stale.length })}</p>}
      </div>
    </Card>
  );
}
