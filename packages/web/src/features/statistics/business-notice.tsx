import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useUser } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { notifyError } from '../../ui/toast.tsx';

/** Once per browser, with little storage. "Don't show again" is the person's. */
export function BusinessNotice() {
  const key = `yunxun.business_notice.${useUser().id}`;
  const [open, setOpen] = useState(() => localStorage.getItem(key) === null);
  const [never, setNever] = useState(false);
  // asked once, outside the live queries; errors are ignored
  const { data } = useQuery({
    queryKey: ['/api/v3/open/get_active_details', 'notice'],
    queryFn: () => call('/api/v3/open/get_active_details', {}),
    enabled: open,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (!open || !data || data.is_hidden || data.lt_32g_router_num <= 0) return null;
  const close = () => {
    localStorage.setItem(key, new Date().toISOString());
    setOpen(false);
    if (never) void call('/api/v3/open/hidden_star_dialog', {}).catch(notifyError);
  };
  return (
    <Dialog
      title={t('notice.title')}
      onClose={close}
      onSubmit={close}
      foot={
        <>
          <label className="check notice-never">
            <input type="checkbox" checked={never} onChange={(event) => setNever(event.target.checked)} />
            <span>{t('notice.never')}</span>
          </label>
          <Button kind="primary" type="submit">
            {t('notice.close')}
          </Button>
        </>
      }
    >
      <p>{t('notice.body', { n: data.lt_32g_router_num })}</p>
      <p className="quiet">{t('notice.advice')}</p>
      {data.unknown_router_num > 0 && (
        <p className="small dim">{t('notice.unknown', { n: data.unknown_router_num })}</p>
      )}
    </Dialog>
  );
}
