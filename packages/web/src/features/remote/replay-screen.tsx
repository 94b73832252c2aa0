import type { RecordedEvent } from '@yunxun/contract/remote-recording';
import { useCallback, useEffect, useState } from 'react';
import type { Data } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useParam } from '../../app/shell/current.ts';
import { Empty, Failed } from '../../ui/empty.tsx';
import { exactTime } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { asciicast, readRecording } from './recording.ts';
import { ReplayPlayer } from './replay-player.tsx';
import './remote.css';

interface Loaded {
  recording: Data<'/api/v3/remote/recording/replay'>;
  events: RecordedEvent[];
}

const NOT_FOUND = 4113;

/** Asks once: each answer is a row of the operation log. */
export function ReplayScreen() {
  const id = useParam('id');
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const load = useCallback(async () => {
    setProblem(null);
    try {
      const recording = await call('/api/v3/remote/recording/replay', { id });
      setLoaded({ recording, events: await readRecording(recording.parts) });
    } catch (error) {
      setProblem(error);
    }
  }, [id]);
  useEffect(() => void load(), [load]);
  const isGone = problem instanceof ApiError && problem.code === NOT_FOUND;
  return (
    <main className="terminal-screen">
      <h1 className="sr">{t('title.replay')}</h1>
      <nav className="terminal-tabs" aria-label={t('title.replay')}>
        <Link to="/remote">{t('home.remote')}</Link>
      </nav>
      {isGone ? (
        <Empty icon="monitor" title={t('remote.recording_none')} />
      ) : problem ? (
        <Failed error={problem} retry={() => void load()} />
      ) : (
        <Loading until={loaded !== null}>{loaded && <Recording {...loaded} />}</Loading>
      )}
    </main>
  );
}

function Recording({ recording, events }: Loaded) {
  const { target, kind, user, guest, purpose, started_at, ended_at, cut } = recording;
  const start = new Date(started_at);
  const save = async () => {
    // lists have it too, whose code this page leaves out
    const { download } = await import('../../ui/table/csv.ts');
    const name = `${target} ${started_at.slice(0, 19).replaceAll(':', '')}`.replace(/[^\p{L}\p{N}.-]+/gu, '-');
    download(`${name}.cast`, asciicast(events, { title: target, start }), 'application/x-asciicast');
  };
  return (
    <section className="terminal-pane" aria-label={target}>
      <header className="terminal-bar replay-bar">
        <strong className="ellipsis">{t('remote.tab', { target, kind: t(`remote.kind_${kind}`) })}</strong>
        <span className="quiet ellipsis">{guest === null ? user : t('remote.guest_of', { guest, name: user })}</span>
        <span className="quiet ellipsis">{purpose}</span>
        <span className="quiet">
          {t('remote.replay_when', { from: exactTime(start), to: exactTime(new Date(ended_at)) })}
        </span>
        {cut && (
          <span className="row">
            <Icon name="alert" size={16} />
            <span>{t('remote.recording_cut_why')}</span>
          </span>
        )}
      </header>
      {events.length === 0 ? (
        <Empty icon="monitor" title={t('remote.recording_empty')} />
      ) : (
        <ReplayPlayer events={events} onSave={() => void save().catch(notifyError)} />
      )}
    </section>
  );
}
