import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useParam } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Link } from '../../ui/link.tsx';
import { AfterEnd } from './after-end.tsx';
import { isTerminal, type Session, sessionPath } from './remote-session.ts';
import { TerminalPane } from './terminal-pane.tsx';
import { fitAboveKeyboard } from './touch/touch-key-row.tsx';
import './remote.css';

const refreshMs = 10_000;
const maxTabs = 20;

/** Shows one session, with tabs for the person's other open ones, which go on meanwhile. */
export function TerminalScreen() {
  const id = useParam('id');
  const navigate = useNavigate();
  const { data } = useRead(
    '/api/v3/remote/list',
    { limit: 50, sort: 'created_at', order: 'desc' },
    { refetchMs: refreshMs, keepPrevious: true },
  );
  const [shown, setShown] = useState<readonly string[]>([id]);
  useEffect(fitAboveKeyboard, []);
  useEffect(() => setShown((all) => (all.includes(id) ? all : [...all, id])), [id]);
  const sessions = (data?.list ?? []).filter(
    (row) => row.mine && isTerminal(row.kind) && (row.state !== 'ended' || shown.includes(row.id)),
  );
  const tabs = sessions.slice(0, maxTabs).toReversed();
  return (
    <main className="terminal-screen">
      <h1 className="sr">{t('title.terminal')}</h1>
      <nav className="terminal-tabs" aria-label={t('remote.tabs')}>
        <Link to="/remote">{t('home.remote')}</Link>
        {tabs.map((row) => (
          <button
            key={row.id}
            type="button"
            className="tab"
            aria-current={row.id === id ? 'page' : undefined}
            onClick={() => void navigate({ to: sessionPath(row) })}
          >
            {tabName(row)}
          </button>
        ))}
      </nav>
      {shown.map((one) => {
        const session = sessions.find((row) => row.id === one);
        const hasFiles = session?.kind === 'ssh' || session?.kind === 'shell';
        const afterEnd = session && <AfterEnd session={session} />;
        return (
          <TerminalPane
            key={one}
            id={one}
            isShown={one === id}
            session={session}
            hasFiles={hasFiles}
            afterEnd={afterEnd}
          />
        );
      })}
    </main>
  );
}

const tabName = ({ target, kind }: Session) => t('remote.tab', { target, kind: t(`remote.kind_${kind}`) });
