import { type ComponentProps, useCallback, useEffect, useState } from 'react';
import type { Data } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { CenteredCard } from '../../app/shell/centered-card.tsx';
import { useParam } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { useSecondsUntil } from '../../ui/countdown.ts';
import { Empty, Failed } from '../../ui/empty.tsx';
import { duration } from '../../ui/format.ts';
import { Loading } from '../../ui/skeleton.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { zonedTime } from '../../ui/zones.ts';
import { type GuestSession, keepWhileAway, keptSession } from './guest-session.ts';
import { isTerminal } from './remote-session.ts';
import { ScreenPane } from './screen-pane.tsx';
import { TerminalPane } from './terminal-pane.tsx';
import { fitAboveKeyboard } from './touch/touch-key-row.tsx';
import { WebEntry } from './web-entry.tsx';
import './remote.css';

type Offered = Data<'/api/v3/remote/link/look'>;
type Opened = Data<'/api/v3/remote/link/open'>;

const USED = 4013;
const OVER = 4014;

/** Lets a technician without an account open the session of a link. */
export function GuestScreen() {
  const secret = useParam('secret');
  const [opened, setOpened] = useState(() => keptSession(secret));
  const { data, error, refetch } = useRead('/api/v3/remote/link/look', { secret }, { enabled: opened === null });
  if (opened) return <Session secret={secret} opened={opened} />;
  const code = error instanceof ApiError ? error.code : 0;
  // 422: the link was cut off when it was copied
  const isOver = code === USED || code === OVER || code === 422;
  return (
    <CenteredCard>
      {isOver ? (
        <Empty page icon="link" title={t(code === USED ? 'remote.link_is_used' : 'remote.link_is_over')}>
          {t('remote.link_ask_again')}
        </Empty>
      ) : error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : (
        <Loading until={data !== undefined}>
          {data && (
            <Offer
              offer={data}
              secret={secret}
              onOpened={({ id, page }) => {
                const { target, network, kind, purpose } = data;
                setOpened({ id, page, offer: { target, network, kind, purpose } });
              }}
              onRefused={() => void refetch()}
            />
          )}
        </Loading>
      )}
    </CenteredCard>
  );
}

interface OfferProps {
  offer: Offered;
  secret: string;
  onOpened: (opened: Opened) => void;
  onRefused: () => void;
}

function Offer({ offer, secret, onOpened, onRefused }: OfferProps) {
  const [busy, setBusy] = useState(false);
  const { account_name: account, target, network, kind, guest, purpose, until, recorded } = offer;
  const [time, left] = [zonedTime(new Date(until)), duration(useSecondsUntil(until))];
  const open = async () => {
    setBusy(true);
    try {
      onOpened(await call('/api/v3/remote/link/open', { secret, cols: 80, rows: 24 }));
    } catch (problem) {
      notifyError(problem);
      setBusy(false);
      onRefused();
    }
  };
  return (
    <>
      <h1>{t('remote.link_invites', { account })}</h1>
      <dl className="facts">
        <Fact name={t('remote.guest')} value={guest} />
        <Fact name={t('remote.target')} value={target} />
        <Fact name={t('remote.network')} value={network || '—'} />
        <Fact name={t('remote.kind')} value={t(`remote.kind_${kind}`)} />
        <Fact name={t('remote.purpose')} value={purpose} />
        <Fact name={t('remote.link_until')} value={t('remote.link_until_left', { time, left })} />
      </dl>
      {recorded && <p className="small">{t('remote.recorded_here')}</p>}
      <p className="small dim">{t('remote.link_rules')}</p>
      <div className="slip-acts">
        <Button kind="primary" large busy={busy} onClick={() => void open()}>
          {t('remote.link_open_session')}
        </Button>
      </div>
    </>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Session({ secret, opened }: { secret: string; opened: GuestSession }) {
  const { id, page, offer } = opened;
  const { target, network, kind, purpose } = offer;
  const [isOver, setOver] = useState(false);
  const onOver = useCallback(() => setOver(true), []);
  useEffect(() => (isOver ? undefined : keepWhileAway(secret, opened)), [isOver, secret, opened]);
  const enter = useCallback(() => call('/api/v3/remote/link/enter', { id, link: page }), [id, page]);
  if (kind === 'web')
    return (
      <main className="remote-waiting">
        <h1 className="sr">{target}</h1>
        <WebEntry enter={enter} onOver={onOver} over={<Empty icon="monitor" title={t('remote.web_over')} />} />
      </main>
    );
  const shown = {
    session: { id, target, network, purpose },
    proof: () => ({ link: page }),
    onOver,
    onEnd: (link: { say(input: { type: 'end' }): void } | null) => link?.say({ type: 'end' }),
  };
  return (
    <main className="terminal-screen">
      <h1 className="sr">{target}</h1>
      {isTerminal(kind) ? <GuestTerminal {...shown} /> : <ScreenPane {...shown} />}
    </main>
  );
}

function GuestTerminal(shown: ComponentProps<typeof ScreenPane>) {
  useEffect(fitAboveKeyboard, []);
  return <TerminalPane id={shown.session.id} isShown isGuest {...shown} />;
}
