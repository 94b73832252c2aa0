import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { acting, useLeft, viewAs } from '../acting.ts';
import { t } from '../i18n.ts';
import { useRead } from '../use-call.ts';
import { useUser } from './current.ts';

export function Banners() {
  const user = useUser();
  const [left, dismiss] = useLeft();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [from] = useState(path);
  // navigating dismisses the explanation
  useEffect(() => {
    if (path !== from) dismiss();
  }, [path, from, dismiss]);
  return (
    <>
      {user.viewing && (
        <div className="notice notice-warn banner" role="status">
          <Icon name="eye" size={16} />
          <span>{t('viewing.banner', { name: acting().view?.name ?? '' })}</span>
          <Button onClick={() => void viewAs(null)}>{t('viewing.end')}</Button>
        </div>
      )}
      {user.preparing && <Preparing />}
      {user.storage_full && (
        <div className="notice notice-bad banner" role="alert">
          <Icon name="alert" size={16} />
          <span>{t('storage.full')}</span>
        </div>
      )}
      {left && (
        <div className="notice notice-bad banner" role="alert">
          <Icon name="alert" size={16} />
          <span>{t(`left.${left.why}`, { name: left.name })}</span>
          <IconButton icon="close" label={t('action.close')} onClick={dismiss} />
        </div>
      )}
    </>
  );
}

/** Poll interval of the demo's progress, in milliseconds. */
const progressEvery = 5000;

function Preparing() {
  const { data } = useRead('/api/v3/open/installation', {}, { refetchMs: progressEvery });
  if (!data?.preparing) return null;
  return (
    <div className="notice banner" role="status">
      <Icon name="info" size={16} />
      <span>{t('preparing.banner', data.preparing)}</span>
    </div>
  );
}
