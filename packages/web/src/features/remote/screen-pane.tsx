import type { RemoteOutput, RemoteProof } from '@yunxun/contract/remote-terminal';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { SwitchField } from '../../ui/field.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { endText, refreshSessions, type ShownSession } from './remote-session.ts';
import { ScreenPaste, ScreenSignIn } from './screen-forms.tsx';
import { SessionNames } from './session-names.tsx';
import { openLink, type TerminalLink } from './terminal-link.ts';
import { Left } from './time-left.tsx';
import { useOver } from './use-over.ts';
import type { Credential, Vnc } from './vnc.ts';

type End = Extract<RemoteOutput, { type: 'end' }>;
type State = 'waiting' | 'open' | 'lost' | 'refused' | 'replaced';

interface Props {
  session: ShownSession;
  proof: () => RemoteProof;
  onEnd: (link: TerminalLink | null) => void;
  onOver?: () => void;
}

const anySize = { cols: 80, rows: 24 };

export function ScreenPane({ session, proof, onEnd, onOver }: Props) {
  const { id, target } = session;
  const whole = useRef<HTMLElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const vnc = useRef<Vnc | null>(null);
  const link = useRef<TerminalLink | null>(null);
  const proven = useRef(proof);
  const [state, setState] = useState<State>('waiting');
  const [until, setUntil] = useState<string | null>(null);
  const [end, setEnd] = useState<End | null>(null);
  const [asked, setAsked] = useState<readonly Credential[] | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isShown, setShown] = useState(false);
  const [isFit, setFit] = useState(true);
  const [isViewOnly, setViewOnly] = useState(false);
  const [isPasting, setPasting] = useState(false);

  useEffect(() => {
    let isGone = false;
    const begin = ({ showVnc }: typeof import('./vnc.ts')) => {
      if (isGone || !box.current || vnc.current) return;
      vnc.current = showVnc(box.current, t('remote.kind_vnc'), {
        sent: (data) => link.current?.type(data),
        asked: setAsked,
        keyShown: (fingerprint) => askToTrust(fingerprint, vnc.current),
        shown() {
          setShown(true);
          vnc.current?.focus();
        },
        refused: setRefusal,
        used: () => link.current?.say({ type: 'active' }),
      });
    };
    import('./vnc.ts')
      .then((module) => {
        if (isGone) return;
        link.current = openLink(id, () => ({ ...proven.current(), ...anySize }), {
          bytes: (data) => vnc.current?.receive(data),
          lost: () => setState('lost'),
          refused: () => setState('refused'),
          spoken(output) {
            if (output.type === 'end') {
              setAsked(null);
              setEnd(output);
              vnc.current?.dispose();
              void refreshSessions();
            } else if (output.type === 'replaced') setState('replaced');
            else if (output.type === 'state') {
              setState(output.state);
              setUntil(output.until);
              if (output.state === 'open') begin(module);
            }
          },
        });
      })
      .catch(notifyError);
    return () => {
      isGone = true;
      vnc.current?.dispose();
      link.current?.close();
      link.current = vnc.current = null;
    };
  }, [id]);

  const isOver = end !== null || state === 'refused';
  useOver(isOver, onOver);

  const isLive = isShown && !end;
  const statusText = end
    ? endText(end.reason, refusal || end.detail)
    : t(state === 'open' && !isShown ? 'remote.screen_connecting' : `remote.link_${state}`);
  return (
    <section ref={whole} className="terminal-pane screen-pane" aria-label={target}>
      <header className="terminal-bar screen-bar">
        <SessionNames session={session} />
        <span className="terminal-state" role="status">
          {statusText}
        </span>
        {until && !end && state === 'open' && <Left until={until} />}
        {isLive && (
          <>
            <Choice
              hideLabel
              label={t('remote.screen_size')}
              value={isFit ? 'fit' : 'actual'}
              options={[
                { value: 'fit', label: t('remote.screen_fit') },
                { value: 'actual', label: t('remote.screen_actual') },
              ]}
              onChange={(size) => {
                setFit(size === 'fit');
                vnc.current?.fit(size === 'fit');
              }}
            />
            <SwitchField
              checked={isViewOnly}
              onChange={(on) => {
                setViewOnly(on);
                vnc.current?.viewOnly(on);
              }}
            >
              {t('remote.view_only')}
            </SwitchField>
            <Button disabled={isViewOnly} onClick={() => vnc.current?.ctrlAltDel()}>
              {t('remote.ctrl_alt_del')}
            </Button>
            <Button disabled={isViewOnly} onClick={() => setPasting(true)}>
              {t('remote.paste')}
            </Button>
            <IconButton icon="expand" label={t('remote.full_screen')} onClick={() => void toggleFull(whole.current)} />
          </>
        )}
        {!end && (state === 'open' || state === 'waiting') && (
          <Button kind="danger" onClick={() => onEnd(link.current)}>
            {t('remote.end')}
          </Button>
        )}
      </header>
      {asked && (
        <ScreenSignIn
          asked={asked}
          send={(credentials) => {
            setAsked(null);
            vnc.current?.answer(credentials);
          }}
        />
      )}
      <div ref={box} className="terminal-box screen-box" />
      {isPasting && (
        <ScreenPaste
          target={target}
          onClose={() => setPasting(false)}
          onPaste={(text) => {
            setPasting(false);
            vnc.current?.paste(text);
          }}
        />
      )}
    </section>
  );
}

async function toggleFull(element: HTMLElement | null): Promise<void> {
  if (document.fullscreenElement) await document.exitFullscreen();
  else await element?.requestFullscreen().catch(notifyError);
}

function askToTrust(fingerprint: string, vnc: Vnc | null): void {
  ask({
    title: t('remote.screen_key_title'),
    body: (
      <>
        <p>{t('remote.screen_key_body')}</p>
        <p className="mono terminal-keys">{fingerprint}</p>
      </>
    ),
    confirm: t('remote.screen_key_trust'),
    cancel: { label: t('action.cancel'), act: () => vnc?.dispose() },
    act: async () => vnc?.trustKey(),
  });
}
