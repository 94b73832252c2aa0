import { t } from '../../app/i18n.ts';
import { Page } from '../../ui/page.tsx';
import { PortalNetwork } from './portal-network.tsx';
import { Vouchers } from './vouchers.tsx';
import './portal.css';

export function VouchersScreen() {
  return (
    <Page title={t('home.vouchers')}>
      <PortalNetwork path="/api/v3/portal/voucher/network/list" empty={t('site_portal.voucher_networks_empty_body')}>
        {(gwid) => <Vouchers key={gwid} gwid={gwid} ready />}
      </PortalNetwork>
    </Page>
  );
}
