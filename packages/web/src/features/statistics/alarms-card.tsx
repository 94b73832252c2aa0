import { useEffect, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { LevelTag, levels } from '../../ui/alarm-level.tsx';
import type { Answer } from '../../ui/answer.tsx';
import { IconButton } from '../../ui/button.tsx';
import { count } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { ShortTime } from '../../ui/time.tsx';
import type { Complex } from './figures.tsx';
import { StatCard } from './stat-card.tsx';

type Message = Complex['alarm_messages'][number];

type Levels = Complex['alarm_level_amount'];

/** @param counted the strip's levels, which its number sums */
export function AlarmsCard({ answer, counted }: { answer: Answer<Complex>; counted: Levels | undefined }) {
  return (
    <StatCard title={t('card.alarms')} metric="alarms" answer={answer} asOf={(data) => data.as_of} height={180}>
      {(data) => (
        <>
          <ul className="levels">
            {levels.map((level) => (
              <li key={level}>
                <Link to="/alarm" search={{ level }} className="level">
                  <strong className="figure">{count((counted ?? data.alarm_level_amount)[level])}</strong>
                  <LevelTag level={level} />
                </Link>
              </li>
            ))}
          </ul>
          {data.alarm_messages.length === 0 ? (
            <p className="chart-none">{t('home.no_alarms')}</p>
          ) : (
            <Ticker messages={data.alarm_messages} />
          )}
        </>
      )}
    </StatCard>
  );
}

const SEEN = 6;
const STEP_MS = 4000;
const ROW = 36;

/** One message per four seconds; pauses on hover, focus, button and reduced motion. */
function Ticker({ messages }: { messages: readonly Message[] }) {
  const [first, setFirst] = useState(0);
  const [held, setHeld] = useState(false);
  const [stopped, setStopped] = useState(() => matchMedia('(prefers-reduced-motion: reduce)').matches);
  const moves = messages.length > SEEN;
  const last = messages.length - SEEN;
  useEffect(() => {
    if (!moves || held || stopped) return;
    const timer = setInterval(() => setFirst((now) => (now >= last ? 0 : now + 1)), STEP_MS);
    return () => clearInterval(timer);
  }, [moves, held, stopped, last]);
  const still = held || stopped;
  return (
    <div className="ticker">
      <section
        className="ticker-window"
        data-still={still || undefined}
        aria-label={t('card.alarms')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys too
        tabIndex={0}
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
      >
        <ul style={{ transform: still ? 'none' : `translateY(${-Math.min(first, Math.max(0, last)) * ROW}px)` }}>
          {messages.map((message) => (
            <li key={`${message.time} ${message.message}`}>
              <Link to="/alarm" search={{ level: message.level }} className="ticker-line">
                <LevelTag level={message.level} />
                <span className="ellipsis">{message.message}</span>
                <ShortTime at={message.time} />
              </Link>
            </li>
          ))}
        </ul>
      </section>
      {moves && (
        <IconButton
          className="ticker-stop"
          icon={stopped ? 'play' : 'pause'}
          label={t(stopped ? 'home.ticker_play' : 'home.ticker_stop')}
          onClick={() => setStopped(!stopped)}
        />
      )}
    </div>
  );
}
