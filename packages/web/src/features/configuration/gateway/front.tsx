import { t } from '../../../app/i18n.ts';
import { useMay } from '../../../app/shell/current.ts';
import { useRead } from '../../../app/use-call.ts';
import { DeviceDrawing, drawingText } from '../../../ui/device/device-drawing.tsx';
import { drawnPorts } from '../../../ui/device/drawn-ports.ts';

export function GatewayFront({ serial }: { serial: string }) {
  const may = useMay('network.read');
  const { data } = useRead('/api/v3/ap/detail', { serial }, { enabled: may });
  if (!data || data.ports.length === 0) return null;
  const ports = drawnPorts(data);
  return (
    <div className="device-front">
      <DeviceDrawing
        kind="gateway"
        size="large"
        ports={ports}
        status={data.status}
        label={drawingText(data.model ?? t('kind.gateway'), ports)}
      />
    </div>
  );
}
