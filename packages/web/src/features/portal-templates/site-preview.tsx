import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Failed } from '../../ui/empty.tsx';
import { Card } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ofShop } from './of-shop.ts';
import { Phone } from './phone.tsx';

export function SitePreview({ gwid, id }: { gwid: string; id: string }) {
  const { data, error, refetch } = useRead('/api/v3/auth_template/site/detail', { gwid, id });
  const { data: shop } = useRead('/api/v3/auth_template/shop/detail', { gwid });
  const shown = data && shop && ofShop(data, shop);
  return (
    <Card title={t('portal.guest_page')}>
      {data && shown ? (
        <Phone page={shown.page} methods={data.methods} pictures={shown.pictures} />
      ) : error ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <Skeleton height={640} />
      )}
    </Card>
  );
}
