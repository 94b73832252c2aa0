import type { RemoteOutput, RemoteProof } from '@yunxun/contract/remote-terminal';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';
import { askToEnd, endText, refreshSessions, type ShownSession } from './remote-session.ts';
import { SessionNames } from './session-names.tsx';
import type { Screen } from './terminal.ts';
import { HostKey, Questions, SignIn } from './terminal-forms.tsx';
import { bearerProof, openLink, type TerminalLink } from './terminal-link.ts';
import { Left } from './time-left.tsx';
import { TouchKeyRow } from './touch/touch-key-row.tsx';
import { useOver } from './use-over.ts';

const FilesPanel = lazy(async () => ({ default: (await import('./files-panel.tsx')).FilesPanel }));

type End = Extract<RemoteOutput, { type: 'end' }>;
type Asked = Extract<RemoteOutput, { type: 'login' | 'questions' | 'host_key' }>;
type State = 'waiting' | 'open' | 'lost' | 'refused' | 'replaced';

interface Props {
  id: string;
  session: ShownSession | undefined;
  isShown: boolean;
  isGuest?: boolean;
  hasFiles?: boolean;
  proof?: () => RemoteProof;
  onEnd?: (link: TerminalLink | null) => void;
  onOver?: () => void;
  /** What a member can do once the session is over. */
  afterEnd?: ReactNode;
}

const shownLines = 20;

export function TerminalPane(props: Props) {
  const { id, session, isShown, isGuest, hasFiles, proof = bearerProof, onEnd, onOver, afterEnd } = props;
  const box = useRef<HTMLDivElement>(null);
  const screen = useRef<Screen | null>(null);
  const link = useRef<TerminalLink | null>(null);
  const shown = useRef(isShown);
  const proven = useRef(proof);
  const [state, setState] = useState<State>('waiting');
  const [until, setUntil] = useState<string | null>(null);
  const [isRecorded, setRecorded] = useState(false);
  const [end, setEnd] = useState<End | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [signedIn, setSignedIn] = useState<string | null>(null);
  const [isFiles, setFiles] = useState(false);
  const [isCtrl, setCtrl] = useState(false);
  const filesButton = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let isGone = false;
    let wasOpen = false;
    const hear = (output: RemoteOutput) => {
      switch (output.type) {
        case 'state':
          // the server repeats what it showed last
          if (output.state === 'open' && wasOpen) screen.current?.reset();
          wasOpen ||= output.state === 'open';
          setState(output.state);
          setUntil(output.until);
          setRecorded(output.recorded);
          if (output.state === 'open') void refreshSessions();
          return;
        case 'login':
        case 'questions':
        case 'host_key':
          return setAsked(output);
        case 'signed_in':
          return setSignedIn(output.user);
        case 'file_refused':
          return notify('bad', t('remote.file_refused'));
        case 'replaced':
          return setState('replaced');
        case 'end':
          // a changed key can be trusted for the next session
          setAsked((last) => (last?.type === 'host_key' && last.known !== null ? last : null));
          setEnd(output);
          void refreshSessions();
          return;
      }
    };
    import('./terminal.ts')
      .then(({ makeScreen }) => {
        if (isGone || !box.current) return;
        const made = makeScreen(box.current, t('remote.kind_shell'), {
          typed: (data) => link.current?.type(data),
          sized: (size) => link.current?.say({ type: 'size', ...size }),
          hold: (on) => link.current?.say({ type: 'hold', on }),
          latched: setCtrl,
          pasting: (text) => askToPaste(text, () => screen.current?.paste(text)),
        });
        screen.current = made;
        if (shown.current) made.focus();
        link.current = openLink(id, () => ({ ...proven.current(), ...made.size() }), {
          bytes: made.write,
          spoken: hear,
          lost: () => setState('lost'),
          refused: () => setState('refused'),
        });
      })
      .catch(notifyError);
    return () => {
      isGone = true;
      link.current?.close();
      screen.current?.dispose();
      link.current = screen.current = null;
    };
  }, [id]);

  useEffect(() => {
    shown.current = isShown;
    if (isShown && !asked) screen.current?.focus();
  }, [isShown, asked]);

  const isOver = end !== null || state === 'refused';
  useOver(isOver, onOver);

  const answer = (input: Parameters<TerminalLink['say']>[0]) => {
    setAsked(null);
    link.current?.say(input);
  };
  return (
    <section className="terminal-pane" hidden={!isShown} aria-label={session?.target}>
      <header className="terminal-bar">
        <SessionNames session={session} />
        {signedIn !== null && !end && (
          <span className="quiet ellipsis">{t('remote.signed_in', { user: signedIn })}</span>
        )}
        {isRecorded && <span className="quiet nowrap">{t('remote.recording_kept')}</span>}
        <span className="terminal-state" role="status">
          {end ? endText(end.reason, end.detail) : t(`remote.link_${state}`)}
        </span>
        {until && !end && state === 'open' && <Left until={until} />}
        {hasFiles && session && !end && (
          <div ref={filesButton}>
            <Button icon="archive" aria-expanded={isFiles} onClick={() => setFiles(!isFiles)}>
              {t('remote.files')}
            </Button>
          </div>
        )}
        {isOver && afterEnd}
        {session && !end && (
          <Button kind="danger" onClick={() => (onEnd ? onEnd(link.current) : askToEnd(session))}>
            {t('remote.end')}
          </Button>
        )}
      </header>
      {asked?.type === 'login' && (
        <SignIn
          again={asked.again}
          refused={asked.refused}
          send={(user, password) => answer({ type: 'login', user, password })}
        />
      )}
      {asked?.type === 'questions' && (
        <Questions questions={asked.questions} send={(answers) => answer({ type: 'answers', answers })} />
      )}
      {asked?.type === 'host_key' && (
        <HostKey
          id={id}
          mayTrust={!isGuest}
          known={asked.known}
          offered={asked.offered}
          onTrusted={() => asked.known === null && answer({ type: 'trusted' })}
        />
      )}
      <div className="terminal-body">
        <div ref={box} className="terminal-box" />
        {isFiles && session && !end && (
          <Suspense>
            <FilesPanel
              id={id}
              target={session.target}
              onClose={() => {
                setFiles(false);
                filesButton.current?.querySelector('button')?.focus();
              }}
            />
          </Suspense>
        )}
      </div>
      {!isOver && <TouchKeyRow isCtrl={isCtrl} onKey={(key) => screen.current?.press(key)} />}
    </section>
  );
}

function askToPaste(text: string, act: () => void): void {
  const lines = text.trimEnd().split(/\r\n|\r|\n/);
  ask({
    title: t('remote.paste_title', { n: lines.length }),
    body: (
      <>
        <p>{t('remote.paste_body')}</p>
        <pre className="terminal-paste">{lines.slice(0, shownLines).join('\n')}</pre>
        {lines.length > shownLines && (
          <p className="small dim">{t('remote.paste_more', { n: lines.length - shownLines })}</p>
        )}
      </>
    ),
    confirm: t('remote.paste'),
    act: async () => act(),
  });
}
