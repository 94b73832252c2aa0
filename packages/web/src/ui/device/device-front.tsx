import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { DeviceDrawing, drawingText } from './device-drawing.tsx';
import { drawnPorts } from './drawn-ports.ts';

export function DeviceFront({ serial }: { serial: string }) {
  const may = useMay('network.read');
  const { data } = useRead('/api/v3/ap/detail', { serial }, { enabled: may });
  if (!data || data.ports.length === 0) return null;
  const ports = drawnPorts(data);
  const kind = data.is_gateway ? 'gateway' : data.kind;
  return (
    <div className="device-front">
      <DeviceDrawing
        kind={kind}
        size="large"
        ports={ports}
        status={data.status}
        label={drawingText(data.model ?? t(`kind.${kind}`), ports)}
      />
    </div>
  );
}
