import { type DrawnPort, sockets } from './ports.ts';
import { colourOf, merged } from './shapes.ts';

const place = { x: 1, y: 1, width: 22, height: 18 } as const;

export function PortSocket({ port }: { port: DrawnPort }) {
  return (
    <svg width="24" height="20" viewBox="0 0 24 20" strokeWidth="1.4" strokeLinejoin="round" aria-hidden="true">
      {merged(sockets([port], () => place)).map(({ paint, d }) => (
        <path key={paint} d={d} fill={colourOf(paint, 'fill')} stroke={colourOf(paint, 'stroke')} />
      ))}
    </svg>
  );
}
