import { t } from '../../app/i18n.ts';
import { Icon } from '../../ui/icon.tsx';
import { isSlow, type Port, portTitle, speedText } from './labels.ts';

function look(port: Port): string {
  if (!port.settings.enabled) return 'off';
  if (!port.up) return 'down';
  return isSlow(port) ? 'slow' : 'up';
}

const numberOf = ({ port }: Port) => port.slice('Ethernet'.length);

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

export function PortPanel(props: {
  ports: readonly Port[];
  chosen: ReadonlySet<string>;
  onToggle: (port: string) => void;
}) {
  return (
    <fieldset className="port-panel" aria-label={t('ports.panel')}>
      {props.ports.map((port) => (
        <button
          key={port.port}
          type="button"
          className="port-socket"
          data-look={look(port)}
          aria-pressed={props.chosen.has(port.port)}
          title={labelOf(port)}
          aria-label={`${numberOf(port)} · ${labelOf(port)}`}
          data-power={(port.poe?.watts ?? 0) > 0 || undefined}
          onClick={() => props.onToggle(port.port)}
        >
          <span className="port-number">{numberOf(port)}</span>
          {port.uplink && <Icon name="arrow_left" size={11} />}
        </button>
      ))}
    </fieldset>
  );
}
