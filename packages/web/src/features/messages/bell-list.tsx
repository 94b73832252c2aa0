import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { Link } from '../../ui/link.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { messageTitle } from './labels.ts';
import { readingPath } from './paths.ts';
import './messages.css';

export function BellList({
  newest,
  close,
}: {
  newest: Data<'/api/v3/message/unread_count'>['newest'];
  close: () => void;
}) {
  return (
    // a click on a link closes the list
    // biome-ignore lint/a11y/useKeyWithClickEvents: the links are what the keyboard reaches
    // biome-ignore lint/a11y/noStaticElementInteractions: the handler only reacts to its links
    <div className="bell-list" onClick={close}>
      {newest.length === 0 ? (
        <p className="dim small bell-none">{t('inbox.never')}</p>
      ) : (
        <ul>
          {newest.map((message) => (
            <li key={message.id}>
              <Link to={readingPath(message.id)} className="bell-line">
                <i className="unread-dot" data-unread={!message.is_read || undefined} aria-hidden="true" />
                <span className="bell-title">
                  {!message.is_read && <span className="sr">{t('inbox.unread')} </span>}
                  {messageTitle(message)}
                </span>
                <span className="small dim">
                  <RelativeTime at={message.created_at} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <Link to="/messages" className="bell-all">
        {t('inbox.show_all')}
      </Link>
    </div>
  );
}
