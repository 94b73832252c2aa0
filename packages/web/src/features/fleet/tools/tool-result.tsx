import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { useMay } from '../../../app/shell/current.ts';
import { useRead } from '../../../app/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { Failed } from '../../../ui/empty.tsx';
import { bytes } from '../../../ui/format.ts';
import { reasonText } from '../../../ui/job-name.ts';
import { Loading } from '../../../ui/skeleton.tsx';
import { fetchFile } from '../../../ui/table/csv.ts';
import { notifyError } from '../../../ui/toast.tsx';
import { HttpCheck, TcpCheck } from './checks.tsx';
import { isOpen, type RunDetail } from './labels.ts';
import { Lookups } from './lookups.tsx';
import { ms } from './ms.ts';
import { Neighbours } from './neighbours.tsx';
import { SpeedTest } from './speed-test.tsx';

/** Poll interval in milliseconds, in case a live fact is lost. */
const againMs = 5000;

export function ToolResult({ id }: { id: string }) {
  const { data, error, refetch } = useRead('/api/v3/network/tool/detail', { id }, { refetchMs: againMs });
  if (error && !data) return <Failed error={error} retry={() => void refetch()} small />;
  return (
    <Loading until={data !== undefined} lines={3}>
      {data && <Result data={data} />}
    </Loading>
  );
}

function Result({ data }: { data: RunDetail }) {
  return (
    <div className="stack stack-s">
      {data.reason && <p className={isOpen(data) ? 'notice' : 'notice notice-warn'}>{reasonText(data.reason)}</p>}
      {data.ping && <PingSums ping={data.ping} />}
      {data.hops && <Hops hops={data.hops} />}
      {data.lookups && <Lookups lookups={data.lookups} />}
      {data.tcp && <TcpCheck tcp={data.tcp} port={data.arguments.port} />}
      {data.http && <HttpCheck http={data.http} />}
      {data.throughput && <ThroughputResult {...data.throughput} />}
      {data.speed && <SpeedTest speed={data.speed} />}
      {data.neighbours && <Neighbours list={data.neighbours} />}
      {data.file_size !== null && <File id={data.id} size={data.file_size} />}
      {data.output && (
        <details open={!data.ping && !data.hops}>
          <summary>{t('tools.output')}</summary>
          <pre className="tool-output">{data.output}</pre>
        </details>
      )}
      {isOpen(data) && !data.reason && <p className="small dim">{t('tools.going_on')}</p>}
    </div>
  );
}

function ThroughputResult({ up, down }: NonNullable<RunDetail['throughput']>) {
  return (
    <dl className="facts">
      <dt>{t('tools.throughput_up')}</dt>
      <dd>{up === null ? '—' : `${up.mbps} Mbit/s`}</dd>
      <dt>{t('tools.throughput_down')}</dt>
      <dd>{down === null ? '—' : `${down.mbps} Mbit/s`}</dd>
    </dl>
  );
}

function PingSums({ ping }: { ping: NonNullable<RunDetail['ping']> }) {
  return (
    <dl className="facts">
      <dt>{t('tools.answered')}</dt>
      <dd>{t('tools.answered_of', { n: ping.received ?? 0, total: ping.sent ?? 0 })}</dd>
      <dt>{t('wan.line_loss')}</dt>
      <dd>{ping.loss_pct === null ? '—' : `${ping.loss_pct}%`}</dd>
      <dt>{t('tools.times')}</dt>
      <dd>
        {ms(ping.min_ms)} / {ms(ping.avg_ms)} / {ms(ping.max_ms)}
      </dd>
    </dl>
  );
}

function Hops({ hops }: { hops: NonNullable<RunDetail['hops']> }) {
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th>{t('tools.hop')}</th>
          <th>{t('wan.line_address')}</th>
          <th>{t('wan.line_latency')}</th>
        </tr>
      </thead>
      <tbody>
        {hops.map(({ hop, address, ms: time }) => (
          <tr key={hop}>
            <td>{hop}</td>
            <td className="mono">{address ?? <span className="dim">{t('wan.no_answer')}</span>}</td>
            <td>{ms(time)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function File({ id, size }: { id: string; size: number }) {
  const may = useMay('network.write');
  return (
    <div className="row">
      <Button
        icon="download"
        why={may ? undefined : t('tools.may_not')}
        onClick={() =>
          void call('/api/v3/network/tool/file', { id }).then(
            ({ url }) => fetchFile(url),
            (error: unknown) => notifyError(error),
          )
        }
      >
        {t('tools.download', { size: bytes(size) })}
      </Button>
    </div>
  );
}
