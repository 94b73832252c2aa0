import { t } from '../../app/i18n.ts';
import { PortSocket } from '../../ui/device/port-socket.tsx';
import { type DrawnPort, portLabel } from '../../ui/device/ports.ts';
import { Icon } from '../../ui/icon.tsx';
import { type Port, portTitle, speedText } from './labels.ts';

const drawn = ({ port, uplink, up, speed, poe, settings }: Port): DrawnPort => ({
  name: port,
  uplink,
  up,
  speed,
  watts: poe?.watts ?? null,
  enabled: settings.enabled,
});

function labelOf(port: Port): string {
  const link = !port.settings.enabled
    ? t('ports.off')
    : port.up
      ? port.speed === null
        ? t('ports.up')
        : speedText(port.speed)
      : t('ports.down');
  const power = port.poe?.watts ? t('ports.watts', { n: port.poe.watts }) : null;
  return [portTitle(port), link, power, port.uplink ? t('ports.uplink') : null].filter(Boolean).join(' · ');
}

/** The front of the switch, each socket a button. */
export function PortPanel(props: {
  ports: readonly Port[];
  chosen: ReadonlySet<string>;
  onToggle: (port: string) => void;
}) {
  return (
    <fieldset className="port-panel" aria-label={t('ports.panel')}>
      {props.ports.map((port) => {
        const front = drawn(port);
        return (
          <button
            key={port.port}
            type="button"
            className="port-socket"
            aria-pressed={props.chosen.has(port.port)}
            data-hint={labelOf(port)}
            aria-label={`${portLabel(front)} · ${labelOf(port)}`}
            onClick={() => props.onToggle(port.port)}
          >
            <span className="port-number">
              {port.uplink && <Icon name="chevron_up" size={10} />}
              {portLabel(front)}
            </span>
            <PortSocket port={front} />
          </button>
        );
      })}
    </fieldset>
  );
}
