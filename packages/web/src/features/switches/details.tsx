import { type ReactNode, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { bytes, count } from '../../ui/format.ts';
import { type Port, type PortAnswer, sourceText } from './labels.ts';
import { cycleWhy, PowerDialog } from './power-dialog.tsx';
import { PowerState } from './power-state.tsx';

export function PortDetails({ port, data }: { port: Port; data: PortAnswer }) {
  return (
    <div className="stack stack-s">
      <dl className="facts">
        <Fact name={t('ports.from')}>
          {sourceText(port)}
          {port.source.locked && ` · ${t('ports.locked')}`}
          {port.rule_gate && <div className="small dim">{t(`ports.rule_gate_${port.rule_gate}`)}</div>}
        </Fact>
        <Fact name={t('ports.duplex')}>{port.duplex && t(`ports.${port.duplex}_duplex`)}</Fact>
        <Fact name={t('ports.poe_class')}>{port.poe?.class ?? null}</Fact>
        <Fact name={t('ports.poe_status')}>{port.poe?.status ?? null}</Fact>
        <Fact name={t('ports.poe_fault')}>{port.poe?.fault ?? null}</Fact>
        <Fact name={t('ports.bytes')}>
          {port.counters &&
            t('ports.both_ways', { rx: bytes(port.counters.rx_bytes), tx: bytes(port.counters.tx_bytes) })}
        </Fact>
        <Fact name={t('ports.errors')}>
          {port.counters &&
            t('ports.both_ways', { rx: count(port.counters.rx_errors), tx: count(port.counters.tx_errors) })}
        </Fact>
        <Fact name={t('ports.dropped')}>
          {port.counters &&
            t('ports.both_ways', { rx: count(port.counters.rx_dropped), tx: count(port.counters.tx_dropped) })}
        </Fact>
        {port.neighbours.map((peer) => (
          <Fact key={`${peer.mac}${peer.name}`} name={t('ports.neighbour')}>
            <strong>{peer.name ?? peer.mac}</strong>
            <span className="dim">
              {[peer.port, peer.mac, peer.address, peer.description].map((text) => text && ` · ${text}`)}
            </span>
          </Fact>
        ))}
      </dl>
      {port.clients.length > 0 && (
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t('ports.device')}</th>
              <th>{t('ports.mac')}</th>
              <th>{t('ports.ip')}</th>
              <th>{t('ports.vlan')}</th>
            </tr>
          </thead>
          <tbody>
            {port.clients.map((client) => (
              <tr key={`${client.mac}${client.vlan}`}>
                <td>{client.name ?? '—'}</td>
                <td className="mono">{client.mac}</td>
                <td className="mono">{client.ip ?? '—'}</td>
                <td>{client.vlan ?? '—'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {port.client_total > port.clients.length && (
        <p className="small dim">{t('ports.more_devices', { n: port.client_total - port.clients.length })}</p>
      )}
      <PowerState port={port} asOf={data.as_of} />
      <Cycle port={port} data={data} />
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === undefined) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Cycle({ port, data: { serial, status, as_of } }: { port: Port; data: PortAnswer }) {
  const may = useMay('network.write');
  const [asking, setAsking] = useState(false);
  if (!may) return null;
  const why = cycleWhy(port, status === 'online');
  return (
    <div className="row">
      <Button why={why} onClick={() => setAsking(true)}>
        {t('ports.cycle')}
      </Button>
      {why && <span className="small dim">{why}</span>}
      {asking && (
        <PowerDialog
          serial={serial}
          status={status}
          as_of={as_of}
          port={port}
          switchName=""
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
