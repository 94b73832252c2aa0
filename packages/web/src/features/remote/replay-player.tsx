import type { RecordedEvent } from '@yunxun/contract/remote-recording';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, SwitchField } from '../../ui/field.tsx';
import { minutesSeconds } from '../../ui/format.ts';
import { notifyError } from '../../ui/toast.tsx';
import { Playback } from './playback.ts';
import type { makeReplayTerminal } from './replay-terminal.ts';

const speeds = ['1', '2', '4', '8', '16'] as const;
/** Milliseconds. */
const shownEvery = 200;
const step = 100;

const clockOf = (ms: number) => minutesSeconds(Math.round(ms / 1000));

export function ReplayPlayer({ events, onSave }: { events: readonly RecordedEvent[]; onSave: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  const playback = useRef<Playback | null>(null);
  const [speed, setSpeed] = useState<(typeof speeds)[number]>('1');
  const [isShort, setShort] = useState(true);
  const [isPlaying, setPlaying] = useState(false);
  const [shown, setShown] = useState({ position: 0, duration: 0 });

  useEffect(() => {
    let isGone = false;
    let terminal: ReturnType<typeof makeReplayTerminal> | null = null;
    import('./replay-terminal.ts')
      .then((replay) => {
        if (isGone || !box.current) return;
        terminal = replay.makeReplayTerminal(box.current, t('title.replay'));
        const made = new Playback(events, terminal, () => {
          setPlaying(made.isPlaying);
          setShown({ position: made.position, duration: made.duration });
        });
        playback.current = made;
        made.play();
      })
      .catch(notifyError);
    return () => {
      isGone = true;
      playback.current?.stop();
      playback.current = null;
      terminal?.dispose();
    };
  }, [events]);

  useEffect(() => {
    if (!isPlaying) return;
    const timer = setInterval(() => {
      const { position = 0, duration = 0 } = playback.current ?? {};
      setShown({ position, duration });
    }, shownEvery);
    return () => clearInterval(timer);
  }, [isPlaying]);

  const time = t('remote.replay_time', { at: clockOf(shown.position), all: clockOf(shown.duration) });
  return (
    <>
      <div ref={box} className="terminal-box replay-box" />
      <div className="terminal-bar replay-bar">
        <Button
          kind="primary"
          icon={isPlaying ? 'pause' : 'play'}
          onClick={() => (isPlaying ? playback.current?.pause() : playback.current?.play())}
        >
          {t(isPlaying ? 'remote.replay_pause' : 'remote.replay_play')}
        </Button>
        <input
          type="range"
          className="replay-seek"
          aria-label={t('remote.replay_position')}
          aria-valuetext={time}
          min={0}
          max={Math.max(1, Math.ceil(shown.duration))}
          step={step}
          value={shown.position}
          onChange={(event) => playback.current?.seek(Number(event.target.value))}
        />
        <span className="quiet nowrap">{time}</span>
        <SelectField
          label={t('remote.replay_speed')}
          hideLabel
          value={speed}
          options={speeds.map((value) => ({ value, label: `${value}×` }))}
          onChange={(value) => {
            setSpeed(value);
            playback.current?.speed(Number(value));
          }}
        />
        <SwitchField
          checked={isShort}
          onChange={(on) => {
            setShort(on);
            playback.current?.shorten(on);
          }}
        >
          {t('remote.replay_shorten')}
        </SwitchField>
        <Button icon="download" onClick={onSave}>
          {t('remote.replay_save')}
        </Button>
      </div>
    </>
  );
}
