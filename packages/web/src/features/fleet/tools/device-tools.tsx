import { useState } from 'react';
import { t } from '../../../app/i18n.ts';
import { useRead } from '../../../app/use-call.ts';
import { Failed } from '../../../ui/empty.tsx';
import { mac } from '../../../ui/format.ts';
import { Loading } from '../../../ui/skeleton.tsx';
import { Tag, type Tone } from '../../../ui/status.tsx';
import { ShortTime } from '../../../ui/time.tsx';
import { type Run, usedWith } from './labels.ts';
import { ToolForm } from './tool-form.tsx';
import { ToolResult } from './tool-result.tsx';

const shown = 20;
const tones: Readonly<Record<Run['state'], Tone>> = {
  queued: 'none',
  running: 'info',
  uploading: 'info',
  done: 'ok',
  failed: 'bad',
  skipped: 'warn',
};

export function DeviceTools({ serial, online }: { serial: string; online: boolean }) {
  const [open, setOpen] = useState<string | null>(null);
  return (
    <div className="stack">
      <ToolForm serial={serial} online={online} onRun={setOpen} />
      <Runs of={{ serial }} open={open} setOpen={setOpen} />
    </div>
  );
}

export function Runs({
  of,
  open,
  setOpen,
}: {
  of: { serial: string } | { gwid: string };
  open: string | null;
  setOpen: (id: string | null) => void;
}) {
  const { data, error, refetch } = useRead('/api/v3/network/tool/list', { ...of, page: 1, limit: shown });
  if (error && !data) return <Failed error={error} retry={() => void refetch()} small />;
  return (
    <section>
      <h3 className="section-title">{t('tools.latest')}</h3>
      <Loading until={data !== undefined} lines={4}>
        {data?.total === 0 ? (
          <p className="small dim">{t('tools.none')}</p>
        ) : (
          <ul className="tool-runs">
            {data?.list.map((run) => (
              <li key={run.id}>
                <button
                  type="button"
                  className="tool-run"
                  aria-expanded={open === run.id}
                  onClick={() => setOpen(open === run.id ? null : run.id)}
                >
                  <span className="row">
                    <strong>{t(`tools.name_${run.tool}`)}</strong>
                    <span className="dim ellipsis">{usedWith(run)}</span>
                    {'gwid' in of && <span className="small dim">{run.remark || mac(run.serial)}</span>}
                  </span>
                  <span className="row">
                    <span className="small dim">
                      <ShortTime at={run.created_at} />
                    </span>
                    <Tag tone={tones[run.state]}>{t(`tools.state_${run.state}`)}</Tag>
                  </span>
                </button>
                {open === run.id && <ToolResult id={run.id} />}
              </li>
            ))}
          </ul>
        )}
      </Loading>
    </section>
  );
}
