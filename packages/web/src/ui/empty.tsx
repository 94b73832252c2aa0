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
  actions?: ReactNode;
  small?: boolean;
  page?: boolean;
}

export function Empty({ icon, title, children, actions, small, page }: Shape) {
  return (
    <div className={small ? 'empty empty-s' : 'empty'}>
      <Icon name={icon} size={small ? 22 : 32} />
      {page ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children && <div className="quiet">{children}</div>}
      {actions && <div className="empty-acts">{actions}</div>}
    </div>
  );
}

export function NoHits({ clear, children }: { clear: () => void; children?: ReactNode }) {
  return (
    <Empty icon="search" title={t('empty.no_hits')} actions={<Button onClick={clear}>{t('empty.clear')}</Button>}>
      {t('empty.no_hits_body')}
      {children}
    </Empty>
  );
}

/** Shows no rows for an unknown filter value, instead of all. */
export function NoSuchFilter({ names, clear }: { names: readonly string[]; clear: () => void }) {
  return (
    <Empty icon="search" title={t('empty.no_such')} actions={<Button onClick={clear}>{t('empty.clear')}</Button>}>
      {t('empty.no_such_body', { names: listed(names) })}
    </Empty>
  );
}

export function NoPermission(props: {
  permission: string | null;
  reason: string;
  small?: boolean;
  page?: boolean;
  actions?: ReactNode;
}) {
  const { permission, reason } = props;
  return (
    <Empty
      icon="lock"
      title={t(reason === 'sdwan' ? 'forbidden.sdwan_title' : 'forbidden.title')}
      small={props.small ?? false}
      page={props.page ?? false}
      actions={props.actions}
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

export function Failed({ error, retry, small }: { error: unknown; retry: () => void; small?: boolean }) {
  if (error instanceof ApiError && error.code === 4101) {
    return <NoPermission {...refusalOf(error)} small={small ?? false} />;
  }
  return (
    <Empty
      icon="alert"
      title={t('empty.failed')}
      small={small ?? false}
      actions={
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
