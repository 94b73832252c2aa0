import type { ReactNode } from 'react';
import { ApiError } from '../app/api-error.ts';
import { t, textOf } from '../app/i18n.ts';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

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

/** The name of a permission in the page's language. */
export function permissionName(permission: string): string {
  return textOf(`permission.${permission}`) ?? permission;
}

/** Loading failed, or the permission is missing: what happened, and how to go on. */
export function Failed({ error, retry, small }: { error: unknown; retry: () => void; small?: boolean }) {
  if (error instanceof ApiError && error.code === 4101) {
    const permission = error.data.permission;
    return (
      <Empty icon="lock" title={t('forbidden.title')} small={small ?? false}>
        {typeof permission === 'string'
          ? t('forbidden.body', { permission: permissionName(permission) })
          : t('forbidden.plain')}
      </Empty>
    );
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
