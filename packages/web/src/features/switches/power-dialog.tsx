import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { mac as macText } from '../../ui/format.ts';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { Loading } from '../../ui/skeleton.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { type Port, portTitle } from './labels.ts';
import { PowerState } from './power-state.tsx';

type Found = NonNullable<Data<'/api/v3/switch/port/find'>['found']>;

export function FindPowerDialog(props: { gwid: string; mac: string; name: string; onClose: () => void }) {
  const { gwid, mac, name, onClose } = props;
  const { data, error, refetch } = useRead('/api/v3/switch/port/find', { gwid, mac });
  if (data?.found)
    return <PowerDialog {...data.found} switchName={data.found.name} about={{ mac, name }} onClose={onClose} />;
  return (
    <Dialog title={t('ports.cycle_of', { name })} onClose={onClose}>
      {error ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <Loading until={data !== undefined} lines={3}>
          <Empty icon="network" title={t('ports.cycle_unknown')} small>
            {t('ports.cycle_unknown_body')}
          </Empty>
        </Loading>
      )}
    </Dialog>
  );
}

/** What the port is asked for, by the name that its list shows. */
interface About {
  mac: string;
  name: string;
}

interface Props extends Pick<Found, 'serial' | 'status' | 'as_of' | 'port'> {
  switchName: string;
  about?: About;
  onClose: () => void;
}

export function PowerDialog({ serial, status, as_of, port, switchName, about, onClose }: Props) {
  const [busy, setBusy] = useState(false);
  const why = cycleWhy(port, status === 'online');
  const cycle = async () => {
    setBusy(true);
    try {
      const { job_id } = await call('/api/v3/switch/port/cycle', { serial, port: port.port });
      openJobs(job_id);
      onClose();
    } catch (error) {
      notifyError(error);
      setBusy(false);
    }
  };
  const names = hangingOn(port, about);
  return (
    <Dialog
      title={
        about
          ? t('ports.cycle_title_for', { port: portTitle(port), name: about.name })
          : t('ports.cycle_title', { port: portTitle(port) })
      }
      onClose={onClose}
      onSubmit={() => void cycle()}
      foot={
        <SendFoot onClose={onClose} busy={busy} disabled={why !== undefined}>
          {t('ports.cycle')}
        </SendFoot>
      }
    >
      <div className="stack stack-s">
        {switchName !== '' && <p className="quiet">{t('ports.cycle_where', { name: switchName })}</p>}
        {why ? <p className="notice notice-warn">{why}</p> : <p>{t('ports.cycle_body')}</p>}
        {names.length === 0 ? (
          <p className="small dim">{t('ports.cycle_nothing')}</p>
        ) : (
          <ul>
            {names.map(({ key, text }) => (
              <li key={key}>{text}</li>
            ))}
          </ul>
        )}
        {port.client_total > port.clients.length && (
          <p className="small dim">{t('ports.more_devices', { n: port.client_total - port.clients.length })}</p>
        )}
        <PowerState port={port} asOf={as_of} />
      </div>
    </Dialog>
  );
}

export function cycleWhy(port: Pick<Port, 'cycle_gate'>, online: boolean): string | undefined {
  if (port.cycle_gate) return t(`ports.gate_${port.cycle_gate}`);
  return online ? undefined : t('ports.cycle_offline');
}

/** A neighbour that is in the MAC table too is named once. */
export function hangingOn(
  { neighbours, clients }: Pick<Port, 'neighbours' | 'clients'>,
  about?: About,
): { key: string; text: string }[] {
  const asked = about && macText(about.mac);
  const named = (mac: string | null, name: string | null) => (about && mac === asked ? about.name : name);
  const peers = neighbours.map(({ mac, name }) => ({ key: mac ?? name ?? '', text: named(mac, name) ?? mac ?? '' }));
  const known = new Set(peers.map(({ key }) => key));
  const others = clients
    .filter(({ mac }) => !known.has(mac))
    .map(({ mac, name, ip }) => ({
      key: mac,
      text: [named(mac, name) ?? mac, ip].filter(Boolean).join(' · '),
    }));
  return [...peers, ...others].filter(({ text }) => text !== '');
}
