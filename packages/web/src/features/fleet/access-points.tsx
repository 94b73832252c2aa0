import { t } from '../../app/i18n.ts';
import { useParam } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { DeviceTable } from './device-table.tsx';

/** The access points of a network. */
export function AccessPointsScreen() {
  const gwid = useParam('gwid');
  const { data } = useRead('/api/v3/network/detail', { gwid });
  return (
    <Page
      title={t('aps.title')}
      beside={
        <Link to={`/network/${gwid}`} className="crumb">
          {data?.remark}
        </Link>
      }
    >
      <DeviceTable gwid={gwid} kind="ap" />
    </Page>
  );
}
