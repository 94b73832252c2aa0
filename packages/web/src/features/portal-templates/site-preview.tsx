import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Failed } from '../../ui/empty.tsx';
import { Card } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ofShop } from './of-shop.ts';
import { Phone } from './phone.tsx';

export function SitePreview({ gwid, id }: { gwid: string; id: string }) {
  const page = useRead('/api/v3/auth_template/site/detail', { gwid, id });
  const shop = useRead('/api/v3/auth_template/shop/detail', { gwid });
  const shown = page.data && shop.data && ofShop(page.data, shop.data);
  const failed = [page, shop].find(({ data, error }) => !data && error);
  return (
    <Card title={t('portal.guest_page')}>
      {page.data && shown ? (
        <Phone page={shown.page} methods={page.data.methods} pictures={shown.pictures} />
      ) : failed ? (
        <Failed error={failed.error} retry={() => void failed.refetch()} small />
      ) : (
        <Skeleton height={640} />
      )}
    </Card>
  );
}
