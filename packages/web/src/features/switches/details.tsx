import type { ReactNode } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import { bytes, count } from '../../ui/format.ts';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { type Port, sourceText } from './labels.ts';

export function PortDetails({ port, serial, online }: { port: Port; serial: string; online: boolean }) {
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
      <Cycle port={port} serial={serial} online={online} />
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

function Cycle({ port, serial, online }: { port: Port; serial: string; online: boolean }) {
  const may = useMay('network.write');
  if (!may || port.cycle_gate === 'no_poe') return null;
  const why = !online ? t('networks.offline_why') : port.cycle_gate ? t(`ports.gate_${port.cycle_gate}`) : null;
  return (
    <div className="row">
      <ConfirmPopover
        question={t('ports.cycle_question', { port: port.port })}
        confirm={t('ports.cycle')}
        act={async () => {
          const { job_id } = await call('/api/v3/switch/port/cycle', { serial, port: port.port });
          openJobs(job_id);
        }}
      >
        {(trigger) => (
          <Button {...trigger} disabled={why !== null}>
            {t('ports.cycle')}
          </Button>
        )}
      </ConfirmPopover>
      {why && <span className="small dim">{why}</span>}
    </div>
  );
}
