import { t } from '../../../app/i18n.ts';
import { useOptionalParam } from '../../../app/shell/current.ts';
import { useRead } from '../../../app/use-call.ts';
import { Link } from '../../../ui/link.tsx';
import { Page } from '../../../ui/page.tsx';
import { PlanButton } from '../../radio-plan/index.ts';
import { DeviceTable } from './device-table.tsx';

export function AccessPointsScreen() {
  const gwid = useOptionalParam('gwid') ?? null;
  const { data } = useRead('/api/v3/network/detail', { gwid: gwid ?? '' }, { enabled: gwid !== null });
  return (
    <Page
      title={t('aps.title')}
      actions={gwid && <PlanButton gwid={gwid} />}
      extra={
        gwid && (
          <Link to={`/network/${gwid}`} className="crumb">
            {data?.remark ?? t('home.network')}
          </Link>
        )
      }
    >
      <DeviceTable gwid={gwid} kind="ap" />
    </Page>
  );
}
