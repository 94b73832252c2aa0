import { lazy, Suspense } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { Popup } from '../../ui/popup.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { loadTexts, t } from '../i18n.ts';
import { useRead } from '../use-call.ts';

// lazy: message texts are large and rarely opened
const BellList = lazy(async () => {
  const [module] = await Promise.all([import('../../features/messages/bell-list.tsx'), loadTexts('inbox')]);
  return { default: module.BellList };
});

export function MessageBell() {
  const { data } = useRead('/api/v3/message/unread_count', {});
  const unread = data?.unread ?? 0;
  const label = unread > 0 ? t('header.messages_unread', { n: unread }) : t('header.messages');
  return (
    <span className="job-bell">
      <Popup
        kind="dialog"
        label={t('header.messages')}
        width={340}
        trigger={(trigger) => <IconButton icon="bell" label={label} {...trigger} />}
      >
        {(close) => (
          <Suspense fallback={<Skeleton height={120} />}>
            {data && <BellList newest={data.newest} close={close} />}
          </Suspense>
        )}
      </Popup>
      {unread > 0 && (
        <span className="count" aria-hidden="true">
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </span>
  );
}
