import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isMissing } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useParam, useUser } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { confirmDelete } from '../../ui/table/confirm-delete.ts';
import { ShortTime } from '../../ui/time.tsx';
import { ConsoleLink } from './console-link.tsx';
import { messageBody, messageTitle } from './labels.ts';
import { readingPath, refreshInbox } from './paths.ts';
import './messages.css';

export function MessageScreen() {
  const id = useParam('msg_id');
  const navigate = useNavigate();
  const { data, error, refetch } = useRead('/api/v3/message/detail', { id });
  const { viewing } = useUser();
  const unread = data?.message.is_read === false && !viewing;
  useEffect(() => {
    // on failure it stays unread
    if (unread) call('/api/v3/message/read', { ids: [id] }).then(refreshInbox, () => undefined);
  }, [unread, id]);
  if (error && !data) {
    const gone = isMissing(error);
    return (
      <div className="page">
        <section className="card">
          {gone ? (
            <Empty icon="mail" title={error.message} actions={<Back className="btn" />} page />
          ) : (
            <Failed error={error} retry={() => void refetch()} />
          )}
        </section>
      </div>
    );
  }
  const remove = () =>
    data &&
    confirmDelete(1, [messageTitle(data.message)], async () => {
      await call('/api/v3/message/delete', { id });
      // prevents a refetch of the deleted message
      await navigate({ to: data.older ? readingPath(data.older) : '/messages', replace: true });
      void refreshInbox();
    });
  return (
    <div className="page">
      <div>
        <Back className="crumb" />
        <div className="page-head">
          <div className="page-title">
            <h1>{data ? messageTitle(data.message) : t('messages.detail')}</h1>
          </div>
          {data && (
            <div className="row">
              <Neighbour id={data.newer} label={t('inbox.newer')} />
              <Neighbour id={data.older} label={t('inbox.older')} />
              {!viewing && (
                <Button icon="trash" onClick={remove}>
                  {t('action.delete')}
                </Button>
              )}
            </div>
          )}
        </div>
      </div>
      <section className="card">
        <div className="card-pad stack">
          <Loading until={data !== undefined}>
            {data && (
              <>
                <div className="row small dim">
                  <span className="label">{t(`message_type.${data.message.type}`)}</span>
                  <ShortTime at={data.message.created_at} />
                </div>
                {messageBody(data.message)
                  .split('\n')
                  .map((line) => (
                    <p key={line} className="message-text">
                      {line}
                    </p>
                  ))}
                {data.message.link && (
                  <div>
                    <ConsoleLink to={data.message.link} className="btn" />
                  </div>
                )}
              </>
            )}
          </Loading>
        </div>
      </section>
    </div>
  );
}

function Back({ className }: { className: string }) {
  return (
    <Link to="/messages" className={className}>
      {t('messages.index')}
      <Icon name="chevron_right" size={13} />
    </Link>
  );
}

function Neighbour({ id, label }: { id: string | null; label: string }) {
  if (!id) return <Button disabled>{label}</Button>;
  return (
    <Link to={readingPath(id)} className="btn">
      {label}
    </Link>
  );
}
