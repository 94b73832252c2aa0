import { t } from '../../app/i18n.ts';
import { useParam } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Link } from '../../ui/link.tsx';
import { askToEnd } from './remote-session.ts';
import { ScreenPane } from './screen-pane.tsx';
import { bearerProof } from './terminal-link.ts';
import './remote.css';

export function ScreenScreen() {
  const id = useParam('id');
  const { data } = useRead(
    '/api/v3/remote/list',
    { limit: 50, sort: 'created_at', order: 'desc' },
    { keepPrevious: true },
  );
  const session = data?.list.find((row) => row.id === id);
  return (
    <main className="terminal-screen">
      <h1 className="sr">{t('title.screen')}</h1>
      <nav className="terminal-tabs" aria-label={t('title.screen')}>
        <Link to="/remote">{t('home.remote')}</Link>
      </nav>
      <ScreenPane
        key={id}
        session={session ?? { id, target: '', network: '', purpose: '' }}
        proof={bearerProof}
        onEnd={() => session && askToEnd(session)}
      />
    </main>
  );
}
