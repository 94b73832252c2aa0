import { t } from '../../../app/i18n.ts';
import { useOptionalParam } from '../../../app/shell/current.ts';
import { Page } from '../../../ui/page.tsx';
import { SiteCrumb } from '../../../ui/site-crumb.tsx';
import { PlanButton } from '../../radio-plan/index.ts';
import { DeviceTable } from './device-table.tsx';

export function AccessPointsScreen() {
  const gwid = useOptionalParam('gwid') ?? null;
  return (
    <Page title={t('aps.title')} actions={gwid && <PlanButton gwid={gwid} />} crumb={gwid && <SiteCrumb gwid={gwid} />}>
      <DeviceTable gwid={gwid} kind="ap" />
    </Page>
  );
}
