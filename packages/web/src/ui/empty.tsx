import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../app/api-error.ts';
import { t } from '../app/i18n.ts';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import { grantorsOf, listed, refusalOf, whyRefused } from './refusal.ts';

interface Shape {
  icon: IconName;
  title: string;
  children?: ReactNode;
  acts?: ReactNode;
  small?: boolean;
  /** It is all that the screen holds, so its title is the page's heading. */
  page?: boolean;
}

/** Why there is nothing here, and the one thing to do about it. The four kinds below are all there are. */
export function Empty({ icon, title, children, acts, small, page }: Shape) {
  return (
    <div className={small ? 'empty empty-s' : 'empty'}>
      <Icon name={icon} size={small ? 22 : 32} />
      {page ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children && <div className="quiet">{children}</div>}
      {acts && <div className="empty-acts">{acts}</div>}
    </div>
  );
}

/** The filter has no hits. */
export function NoHits({ clear }: { clear: () => void }) {
  return (
    <Empty icon="search" title={t('empty.no_hits')} acts={<Button onClick={clear}>{t('empty.clear')}</Button>}>
      {t('empty.no_hits_body')}
    </Empty>
  );
}

/** The address names what there is not, or is not any more: nothing is listed rather than everything. */
export function NoSuchFilter({ names, clear }: { names: readonly string[]; clear: () => void }) {
  return (
    <Empty icon="search" title={t('empty.no_such')} acts={<Button onClick={clear}>{t('empty.clear')}</Button>}>
      {t('empty.no_such_body', { names: listed(names) })}
    </Empty>
  );
}

/** What is refused, why, and who can give the permission that is missing. */
export function NoPermission(props: {
  permission: string | null;
  reason: string;
  small?: boolean;
  page?: boolean;
  acts?: ReactNode;
}) {
  const { permission, reason } = props;
  return (
    <Empty
      icon="lock"
      title={t('forbidden.title')}
      small={props.small ?? false}
      page={props.page ?? false}
      acts={props.acts}
    >
      <p>{whyRefused(props)}</p>
      {permission && reason === 'permission' && <Grantors permission={permission} />}
    </Empty>
  );
}

function Grantors({ permission }: { permission: string }) {
  const { data } = useQuery({ queryKey: ['grantors', permission], queryFn: () => grantorsOf(permission) });
  if (!data) return null;
  return <p>{data.length > 0 ? t('forbidden.who', { names: listed(data) }) : t('forbidden.administrator')}</p>;
}

/** Loading failed, or the permission is missing: what happened, and how to go on. */
export function Failed({ error, retry, small }: { error: unknown; retry: () => void; small?: boolean }) {
  if (error instanceof ApiError && error.code === 4101) {
    return <NoPermission {...refusalOf(error)} small={small ?? false} />;
  }
  return (
    <Empty
      icon="alert"
      title={t('empty.failed')}
      small={small ?? false}
      acts={
        <Button icon="refresh" onClick={retry}>
          {t('action.retry')}
        </Button>
      }
    >
      <p>{error instanceof ApiError ? error.message : t('error.request')}</p>
      {error instanceof ApiError && error.requestId && (
        <p className="small dim">
          {t('empty.request_id')} <code className="mono">{error.requestId}</code>
        </p>
      )}
    </Empty>
  );
}
