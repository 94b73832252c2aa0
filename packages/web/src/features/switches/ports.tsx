import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { AsOf } from '../../ui/time.tsx';
import { isSlow, type PortAnswer } from './labels.ts';
import { PortPanel } from './panel.tsx';
import { PortForm } from './settings.tsx';
import { PortTable } from './table.tsx';
import './switches.css';

/** Poll interval in milliseconds; a switch reports about once a minute. */
const againMs = 30_000;

export function Ports({ serial }: { serial: string }) {
  const { data, error, refetch } = useRead('/api/v3/switch/port/list', { serial }, { refetchMs: againMs });
  if (error && !data) return <Failed error={error} retry={() => void refetch()} small />;
  return (
    <Loading until={data !== undefined} lines={8}>
      {data?.ports.length === 0 && (
        <Empty icon="network" title={t('ports.none')} small>
          {t('ports.none_body')}
        </Empty>
      )}
      {data && data.ports.length > 0 && <Body data={data} reload={() => void refetch()} />}
    </Loading>
  );
}

function Body({ data, reload }: { data: PortAnswer; reload: () => void }) {
  const mayWrite = useMay('config.write');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [open, setOpen] = useState<string | null>(null);
  const [setting, setSetting] = useState(false);
  const toggle = (port: string) => {
    const next = new Set(chosen);
    if (!next.delete(port)) next.add(port);
    setChosen(next);
  };
  const { ports, poe, status, as_of } = data;
  const up = ports.filter((port) => port.up).length;
  const slow = ports.filter(isSlow).length;
  return (
    <div className="stack">
      <div className="spread">
        <p className="quiet">
          {[
            t('ports.sum', { up, all: ports.length }),
            slow > 0 ? t('ports.sum_slow', { n: slow }) : null,
            poe ? t('ports.sum_poe', { used: poe.consumed, budget: poe.budget }) : null,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <AsOf at={as_of} away={status !== 'online'} />
      </div>
      <PortPanel ports={ports} chosen={chosen} onToggle={mayWrite ? toggle : setOpen} />
      {mayWrite && (
        <div className="row">
          <Button kind="primary" disabled={chosen.size === 0} onClick={() => setSetting(true)}>
            {t('ports.set', { n: chosen.size })}
          </Button>
          {chosen.size > 0 && <Button onClick={() => setChosen(new Set())}>{t('ports.choose_none')}</Button>}
          <span className="small dim">{t('ports.choose_hint')}</span>
        </div>
      )}
      <div className="port-scroll">
        <PortTable
          ports={ports}
          chosen={chosen}
          onToggle={toggle}
          open={open}
          onOpen={setOpen}
          data={data}
          selectable={mayWrite}
        />
      </div>
      {setting && (
        <PortForm
          data={data}
          chosen={chosen}
          onClose={() => setSetting(false)}
          onSaved={() => {
            setSetting(false);
            setChosen(new Set());
          }}
          onReload={() => {
            setSetting(false);
            reload();
          }}
        />
      )}
    </div>
  );
}
