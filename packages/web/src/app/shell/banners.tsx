import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { acting, useLeft, viewAs } from '../acting.ts';
import { t } from '../i18n.ts';
import { useUser } from './current.ts';

/** What must be known whatever the screen: that this is somebody else's view, or why the page is not where it was. */
export function Banners() {
  const user = useUser();
  const [left, dismiss] = useLeft();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [from] = useState(path);
  // it says why the page is not where it was: whoever goes on has read it
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
