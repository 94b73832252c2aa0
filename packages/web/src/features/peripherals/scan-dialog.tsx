import { useState } from 'react';
import { ApiError } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/empty.tsx';
import { NetworkPick } from '../../ui/networks-field.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';
import { type Draft, draftOf, type Host, rowOf, type Scan } from './found-host.ts';
import { importColumns, type RowErrors } from './import-file.ts';
import { refreshPeripherals } from './peripheral.ts';
import { ScanHosts } from './scan-hosts.tsx';
import './peripherals.css';

/** Milliseconds between reads of a running scan. */
const refreshEvery = 1500;
/** Limit of one call. */
const maxAtOnce = 100;
const detailPath = '/api/v3/peripheral/scan/detail';

interface Props {
  /** Network of the screen; null: the dialog asks. */
  network: { gwid: string; remark: string } | null;
  onClose: () => void;
}

export function ScanDialog({ network: given, onClose }: Props) {
  const [picked, setPicked] = useState<Props['network']>(null);
  const network = given ?? picked;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const [going, setGoing] = useState(false);
  const gwid = network?.gwid ?? '';
  const { data, error, refetch } = useRead(
    detailPath,
    { gwid },
    { enabled: gwid !== '', refetchMs: going ? refreshEvery : false },
  );
  const scan = data?.scan ?? null;
  const isOpen = scan?.state === 'queued' || scan?.state === 'running';
  if (isOpen !== going) setGoing(isOpen);
  const draftFor = (host: Host) => drafts[host.ip] ?? draftOf(host, t(`peripherals.type_${host.type}`));
  const refresh = () => queryClient.invalidateQueries({ queryKey: [detailPath] });
  const act = async (work: () => Promise<unknown>) => {
    setBusy(true);
    await work().catch(notifyError);
    setBusy(false);
  };
  const start = () =>
    act(async () => {
      await call('/api/v3/peripheral/scan', { gwid });
      setChosen(new Set());
      await refresh();
    });
  const cancel = () =>
    act(async () => {
      await call('/api/v3/peripheral/scan/cancel', { gwid });
      await refresh();
    });
  const add = () =>
    act(async () => {
      const hosts = (scan?.hosts ?? []).filter(({ ip }) => chosen.has(ip)).slice(0, maxAtOnce);
      setWrong({});
      try {
        const rows = hosts.map((host, index) => rowOf(host, draftFor(host), index + 1));
        const { created } = await call('/api/v3/peripheral/import', { rows, gwid });
        notify('ok', t('peripherals.added', { n: created }));
        setChosen(new Set());
        await Promise.all([refresh(), refreshPeripherals()]);
      } catch (failure) {
        if (!(failure instanceof ApiError) || failure.code !== 422) throw failure;
        setWrong(wrongByAddress(hosts, failure.fields));
      }
    });
  return (
    <Dialog
      wide
      title={t('peripherals.scan_title')}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{t('action.close')}</Button>
          <Button kind="primary" busy={busy} disabled={chosen.size === 0} onClick={() => void add()}>
            {t('peripherals.add_chosen', { n: chosen.size })}
          </Button>
        </>
      }
    >
      <div className="stack">
        {!given && (
          <>
            <div className="field-label">{t('peripherals.network')}</div>
            <NetworkPick label={t('peripherals.network')} value={network} onChange={setPicked} />
          </>
        )}
        <p className="small dim">{t('peripherals.scan_hint')}</p>
        {error && <Failed error={error} retry={refetch} />}
        {network && data && (
          <div className="row">
            {isOpen ? (
              <Button icon="close" busy={busy} onClick={() => void cancel()}>
                {t('peripherals.scan_cancel')}
              </Button>
            ) : (
              <Button
                icon="search"
                busy={busy}
                why={data.unable ? t(`peripherals.scan_unable_${data.unable}`) : undefined}
                onClick={() => void start()}
              >
                {t('peripherals.scan_start')}
              </Button>
            )}
            <ScanState scan={scan} unable={data.unable} />
          </div>
        )}
        {scan && scan.hosts.length > 0 && (
          <ScanHosts
            hosts={scan.hosts}
            chosen={chosen}
            onChosen={setChosen}
            draftOf={draftFor}
            onDraft={(ip, draft) => setDrafts({ ...drafts, [ip]: draft })}
            wrong={wrong}
          />
        )}
      </div>
    </Dialog>
  );
}

function ScanState({ scan, unable }: { scan: Scan | null; unable: Parameters<typeof unableText>[0] | null }) {
  if (scan?.state === 'queued' || scan?.state === 'running')
    return (
      <>
        <progress max={Math.max(1, scan.total)} value={scan.done} aria-label={t('peripherals.scan_progress')} />
        <span role="status">{t('peripherals.scan_running', { n: scan.hosts.length })}</span>
      </>
    );
  if (scan)
    return (
      <span role="status">
        {scan.state === 'failed' && scan.reason
          ? t(`peripherals.scan_failed_${scan.reason}`)
          : t(scan.state === 'done' ? 'peripherals.scan_done' : 'peripherals.scan_cancelled', {
              n: scan.hosts.length,
              subnets: scan.subnets.join(', '),
            })}
      </span>
    );
  return unable ? <span role="status">{unableText(unable)}</span> : null;
}

const unableText = (reason: 'no_gateway' | 'unsupported' | 'gateway_offline' | 'waiting') =>
  t(`peripherals.scan_unable_${reason}`);

/** Returns the first message of each refused host. */
function wrongByAddress(hosts: readonly Host[], errors: RowErrors): Record<string, string> {
  return Object.fromEntries(
    hosts.flatMap(({ ip }, index) => {
      const messages = importColumns.flatMap((column) => errors[`rows.${index}.${column}`] ?? []);
      return messages[0] ? [[ip, messages[0]]] : [];
    }),
  );
}
