import type { ReactNode } from 'react';
import type { Data } from '../../app/api.ts';
import { isMissing } from '../../app/api-error.ts';
import type { MessageKey } from '../../app/i18n.ts';
import { t } from '../../app/i18n.ts';
import { useSearch } from '../../app/search.ts';
import { useRead } from '../../app/use-call.ts';
import { Empty, Failed } from '../../ui/empty.tsx';
import { Link } from '../../ui/link.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

export type NetworkDetail = Data<'/api/v3/sdwan/network/detail'>;

/** Reads the network that the address names (`?id=`); without one, asks to choose. */
export function OneNetwork(props: {
  title: MessageKey;
  refetchMs: number | false;
  children: (detail: NetworkDetail) => ReactNode;
}) {
  const [{ id }] = useSearch();
  const { data, error, refetch } = useRead(
    '/api/v3/sdwan/network/detail',
    { id: id ?? '' },
    { enabled: id !== undefined, refetchMs: props.refetchMs },
  );
  if (data) return props.children(data);
  const isGone = id === undefined || isMissing(error);
  return (
    <Page title={t(props.title)}>
      {isGone ? (
        <Card>
          <Empty
            icon="link"
            title={t(id === undefined ? 'sdwan.choose_network' : 'sdwan.missing')}
            actions={
              <Link to="/sdwan/index" className="btn btn-primary">
                {t('sdwan.to_index')}
              </Link>
            }
          />
        </Card>
      ) : error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton height={360} />
      )}
    </Page>
  );
}
