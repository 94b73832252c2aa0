import type { DeviceStatus, JobItemStatus, JobStatus, SyncState } from '@yunxun/contract';
import { t } from '../app/i18n.ts';
import { useSecondsUntil } from './countdown.ts';
import { minutesSeconds } from './format.ts';
import { Icon, type IconName } from './icon.tsx';
import { reasonText } from './job-name.ts';

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'brand' | 'none';

type ShapeKind = 'dot' | 'cross' | 'triangle' | 'ring' | 'diamond' | 'check' | 'turn' | 'bars_1' | 'bars_2' | 'bars_3';

/** Signal of so many bars; the others are an outline. */
function Bars({ full }: { full: number }) {
  return [1, 2, 3].map((bar) => (
    <rect
      key={bar}
      x={bar * 3.2 - 2.4}
      y={9 - bar * 2.7}
      width="2"
      height={bar * 2.7}
      fill="currentColor"
      opacity={bar <= full ? 1 : 0.3}
    />
  ));
}

/** Status is never shown by colour alone. */
export function Shape({ kind }: { kind: ShapeKind }) {
  const paths = {
    dot: <circle cx="5" cy="5" r="3.5" fill="currentColor" />,
    cross: <path d="m2 2 6 6M8 2 2 8" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />,
    triangle: <path d="M5 1.2 9.3 8.8H.7z" fill="currentColor" />,
    diamond: <path d="M5 .8 9.2 5 5 9.2.8 5z" fill="currentColor" />,
    ring: (
      <circle cx="5" cy="5" r="3.2" fill="none" stroke="currentColor" strokeWidth="1.6" strokeDasharray="2.4 1.6" />
    ),
    check: (
      <path
        d="M1.5 5.4 4 7.8l4.5-5.4"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    ),
    bars_1: <Bars full={1} />,
    bars_2: <Bars full={2} />,
    bars_3: <Bars full={3} />,
    turn: (
      <path
        d="M8.2 3A3.8 3.8 0 1 0 8.8 5.5M8.6.8V3.2H6.2"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
      />
    ),
  };
  return (
    <svg className="icon" width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
      {paths[kind]}
    </svg>
  );
}

type ShapeName = Parameters<typeof Shape>[0]['kind'];

export function Tag({ tone, shape, children }: { tone: Tone; shape?: ShapeName; children: string }) {
  return (
    <span className={tone === 'none' ? 'tag' : `tag tag-${tone}`}>
      {shape && <Shape kind={shape} />}
      {children}
    </span>
  );
}

const statusLooks: Record<DeviceStatus, [Tone, ShapeName]> = {
  online: ['ok', 'dot'],
  offline: ['bad', 'cross'],
  restarting: ['warn', 'turn'],
  never_connected: ['none', 'ring'],
  unknown: ['none', 'ring'],
};

/** As in its tag. */
export const statusTone = (status: DeviceStatus): Tone => statusLooks[status][0];

/** Shows the shape without its word, beside a name. */
export function StatusSign({ status }: { status: DeviceStatus }) {
  const [tone, shape] = statusLooks[status];
  return (
    <span className={`sign sign-${tone}`}>
      <Shape kind={shape} />
    </span>
  );
}

export function StatusTag({ status }: { status: DeviceStatus }) {
  const [tone, shape] = statusLooks[status];
  return (
    <Tag tone={tone} shape={shape}>
      {t(`status.${status}`)}
    </Tag>
  );
}

const syncLooks: Record<SyncState, [string, IconName]> = {
  in_sync: ['ok', 'check'],
  pending: ['warn', 'clock'],
  applying: ['info', 'spinner'],
  failed: ['bad', 'alert'],
  drifted: ['warn', 'unlink'],
};

interface Standing {
  state: SyncState | null;
  trialUntil?: string | null;
  returnedAt?: string | null;
  /** Catalogue key or the device's own text. */
  reason?: string | null;
}

/** Shows nothing if null: not managed. */
export function SyncChip({ state, trialUntil, returnedAt, reason }: Standing) {
  if (!state) return <span className="dim">—</span>;
  if (trialUntil && state === 'applying') return <TrialChip until={trialUntil} />;
  if (returnedAt && state === 'failed') {
    return (
      <span className="chip chip-bad" title={reason ? reasonText(reason) : t('sync_hint.returned')}>
        <Icon name="undo" size={13} />
        {t('sync.returned')}
      </span>
    );
  }
  const [tone, icon] = syncLooks[state];
  return (
    <span className={`chip chip-${tone}`} title={t(`sync_hint.${state}`)}>
      <Icon name={icon} size={13} spin={state === 'applying'} />
      {t(`sync.${state}`)}
    </span>
  );
}

function TrialChip({ until }: { until: string }) {
  const left = useSecondsUntil(until);
  const time = minutesSeconds(left);
  return (
    <span className="chip chip-info" title={t('sync_hint.trial')}>
      <Icon name="clock" size={13} />
      {left > 0 ? t('sync.trial', { time }) : t('sync.trial_over')}
    </span>
  );
}

/** `nothing`: no items. */
type JobWord = JobStatus | JobItemStatus | 'nothing';

const jobLooks: Record<JobWord, [Tone, ShapeName]> = {
  queued: ['none', 'ring'],
  running: ['brand', 'turn'],
  waiting_offline: ['warn', 'ring'],
  partial: ['warn', 'triangle'],
  succeeded: ['ok', 'check'],
  applied: ['ok', 'check'],
  failed: ['bad', 'cross'],
  rejected: ['bad', 'cross'],
  reverted: ['bad', 'turn'],
  cancelled: ['none', 'cross'],
  rolled_back: ['warn', 'turn'],
  skipped: ['none', 'ring'],
  nothing: ['none', 'ring'],
};

export function JobTag({ status }: { status: JobWord }) {
  const [tone, shape] = jobLooks[status];
  return (
    <Tag tone={tone} shape={shape}>
      {t(`job_status.${status}`)}
    </Tag>
  );
}
