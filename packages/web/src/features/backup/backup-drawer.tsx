import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/empty.tsx';
import { bytes, exactTime } from '../../ui/format.ts';
import { listed } from '../../ui/refusal.ts';
import { Loading } from '../../ui/skeleton.tsx';
import { Changes } from './changes.tsx';
import { type BackupRow, causeText, madeBy } from './labels.tsx';

type Detail = Data<'/api/v3/cloud_backup/detail'>;

export function BackupDrawer(props: {
  id: string;
  onClose: () => void;
  restore: ((row: BackupRow) => void) | undefined;
}) {
  const { data, error, refetch } = useRead('/api/v3/cloud_backup/detail', { id: props.id });
  return (
    <Dialog
      drawer
      title={data ? data.network : t('backup.one')}
      onClose={props.onClose}
      foot={
        data &&
        props.restore && (
          <Button kind="primary" icon="undo" onClick={() => props.restore?.(data)}>
            {t('backup.restore')}
          </Button>
        )
      }
    >
      {error ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <Loading until={data !== undefined} lines={6}>
          {data && <Body data={data} />}
        </Loading>
      )}
    </Dialog>
  );
}

function Body({ data }: { data: Detail }) {
  const since = useRead('/api/v3/cloud_backup/diff', { id: data.id });
  const facts: [string, string][] = [
    [t('backup.at'), exactTime(new Date(data.created_at))],
    [t('backup.type'), causeText(data)],
    [t('backup.by'), madeBy(data)],
    [t('backup.note'), data.note || '—'],
    [t('backup.model'), data.model ?? '—'],
    [t('backup.version'), data.version ?? '—'],
    [t('backup.ports'), data.ports.join(' ') || '—'],
    [t('backup.size'), bytes(data.size)],
  ];
  return (
    <div className="stack">
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div className="backup-wide">
          <dt>{t('backup.sha256')}</dt>
          <dd className="mono small backup-sum">{data.sha256}</dd>
        </div>
      </dl>
      <section>
        <h3>{t('backup.holds')}</h3>
        <ul className="item-list">
          {holdings(data.content).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <p className="small dim">{t('backup.holds_not')}</p>
      </section>
      <section>
        <h3>{t('backup.since')}</h3>
        {since.data && <Changes diff={since.data} same={t('backup.same_now')} />}
      </section>
    </div>
  );
}

interface Held {
  wireless: { ssids: { name: string }[] } | null;
  gateway: { lines: unknown[]; networks: unknown[]; forwards: unknown[] } | null;
  devices: unknown[];
  templates?: { name: string; version: number }[];
}

function holdings(content: unknown): string[] {
  const { wireless, gateway, devices, templates } = content as Held;
  const pinned = [...new Set(templates?.map(({ name, version }) => t('backup.template_version', { name, version })))];
  return [
    wireless
      ? t('backup.holds_wireless', {
          n: wireless.ssids.length,
          names: wireless.ssids.map(({ name }) => name).join(t('list.between')),
        })
      : t('backup.holds_no_wireless'),
    gateway
      ? t('backup.holds_gateway', {
          lines: gateway.lines.length,
          networks: gateway.networks.length,
          forwards: gateway.forwards.length,
        })
      : t('backup.holds_no_gateway'),
    t('backup.holds_devices', { n: devices.length }),
    ...(pinned.length > 0 ? [t('backup.holds_templates', { names: listed(pinned) })] : []),
  ];
}
