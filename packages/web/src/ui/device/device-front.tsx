import type { DeviceStatus } from '@yunxun/contract';
import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { DeviceDrawing, drawingText } from './device-drawing.tsx';
import { drawnPorts } from './drawn-ports.ts';
import type { DrawnKind } from './glyphs.ts';
import type { DrawnPort } from './ports.ts';

interface Props {
  kind: DrawnKind;
  /** Without one it is decoration. */
  name?: string;
  ports?: readonly DrawnPort[];
  status: DeviceStatus | null;
}

export function DeviceFront({ kind, name, ports = [], status }: Props) {
  const label = name === undefined ? {} : { label: drawingText(name, ports) };
  return (
    <div className="device-front">
      <DeviceDrawing kind={kind} size="large" ports={ports} status={status} {...label} />
    </div>
  );
}

type Detail = Data<'/api/v3/ap/detail'>;

export function DetailFront({ data }: { data: Detail }) {
  const kind = data.is_gateway ? 'gateway' : data.kind;
  const name = data.model ?? t(`kind.${kind}`);
  return <DeviceFront kind={kind} name={name} ports={drawnPorts(data)} status={data.status} />;
}

/** Shows nothing until the device has reported ports. */
export function SerialFront({ serial }: { serial: string }) {
  const may = useMay('network.read');
  const { data } = useRead('/api/v3/ap/detail', { serial }, { enabled: may });
  return data && data.ports.length > 0 ? <DetailFront data={data} /> : null;
}
