import { t } from '../../../app/i18n.ts';
import { useParam } from '../../../app/shell/current.ts';
import { useRead } from '../../../app/use-call.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Link } from '../../../ui/link.tsx';
import { StatusTag } from '../../../ui/status.tsx';
import { Gateway } from './settings.tsx';

/** The gateway of a network by itself. */
export function GatewayScreen() {
  const gwid = useParam('gwid');
  const { data } = useRead('/api/v3/network/gateway/get', { gwid });
  return (
    <div className="page">
      <div>
        <Link to={`/network/${gwid}`} className="crumb">
          {t('home.network')}
          <Icon name="chevron_right" size={13} />
        </Link>
        <div className="page-head">
          <div className="page-title">
            <h1>{t('gateway.title')}</h1>
            {data?.gateway && (
              <>
                <span className="quiet ellipsis">{data.gateway.name}</span>
                <StatusTag status={data.gateway.status} />
              </>
            )}
          </div>
        </div>
      </div>
      <Gateway gwid={gwid} />
    </div>
  );
}
