import { ellipse, type Picture, polygon, rect, type Shape } from './shapes.ts';

export const drawnKinds = [
  'gateway',
  'switch',
  'ap',
  'camera',
  'printer',
  'server',
  'computer',
  'phone',
  'smart_device',
  'other',
] as const;
export type DrawnKind = (typeof drawnKinds)[number];

const row = (y: number, from: number, count: number) =>
  Array.from({ length: count }, (_, at) => rect(from + at * 3.2, y, 2, 2)).join('');

/** On a grid of 24. */
const glyphs: Record<DrawnKind, readonly Shape[]> = {
  gateway: [
    { paint: 'case', d: rect(2, 6, 20, 12, 2) },
    {
      paint: 'edge',
      d: `${ellipse(7.5, 12, 3.2)}M4.3 12H10.7M7.5 8.8C6 10.6 6 13.4 7.5 15.2M7.5 8.8C9 10.6 9 13.4 7.5 15.2`,
    },
    { paint: 'solid', d: row(12.6, 13, 2) + rect(19.4, 12.6, 1, 2) },
    { paint: 'led', d: ellipse(18.9, 9.4, 1.1) },
  ],
  switch: [
    { paint: 'case', d: rect(1.5, 7, 21, 10, 1.5) },
    { paint: 'solid', d: row(9.2, 4.2, 4) + row(12.8, 4.2, 4) },
    { paint: 'led', d: ellipse(19.2, 10.2, 1.1) },
  ],
  ap: [
    { paint: 'case', d: ellipse(12, 12, 9.5) },
    { paint: 'ring', d: ellipse(12, 12, 4.2) },
    { paint: 'led', d: ellipse(12, 12, 1.2) },
  ],
  camera: [
    { paint: 'case', d: `M5.5 8a6.5 7.5 0 0 0 13 0z${rect(3.5, 4.5, 17, 3.5, 1)}` },
    { paint: 'edge', d: ellipse(12, 10.9, 2.3) },
    { paint: 'led', d: ellipse(12, 10.9, 0.9) },
  ],
  printer: [
    { paint: 'case', d: `${rect(7, 3, 10, 6)}${rect(3, 8.5, 18, 8.5, 1.5)}` },
    { paint: 'face', d: rect(7, 14, 10, 6.5) },
    { paint: 'edge', d: `${rect(7, 14, 10, 6.5)}M9.5 17.2H14.5` },
    { paint: 'led', d: ellipse(18, 11.2, 1) },
  ],
  server: [
    { paint: 'case', d: rect(3, 4, 18, 7, 1.5) + rect(3, 13, 18, 7, 1.5) },
    { paint: 'edge', d: 'M6 7.5H13M6 16.5H13' },
    { paint: 'led', d: ellipse(17.5, 7.5, 1) + ellipse(17.5, 16.5, 1) },
  ],
  computer: [
    { paint: 'case', d: rect(2.5, 4, 19, 12.5, 1.5) },
    { paint: 'face', d: rect(4.5, 6, 15, 8.5) },
    { paint: 'edge', d: 'M12 16.5V20M8 20H16' },
  ],
  phone: [
    { paint: 'case', d: rect(6.5, 2.5, 11, 19, 2) },
    { paint: 'face', d: rect(8.2, 5, 7.6, 12.4) },
    { paint: 'edge', d: 'M11 19.4H13' },
  ],
  smart_device: [
    {
      paint: 'case',
      d: 'M12 3a6.2 6.2 0 0 0-3.7 11.2c.7.6 1 1.4 1 2.8h5.4c0-1.4.3-2.2 1-2.8A6.2 6.2 0 0 0 12 3z',
    },
    { paint: 'edge', d: 'M9.5 19.2H14.5M10.6 21.4H13.4' },
  ],
  other: [
    { paint: 'case', d: polygon([12, 2.8], [20, 7], [20, 17], [12, 21.2], [4, 17], [4, 7]) },
    { paint: 'edge', d: 'M4 7L12 11.2L20 7M12 11.2V21.2' },
  ],
};

export function glyph(kind: DrawnKind): Picture {
  return { width: 24, height: 24, stroke: 1.5, shapes: glyphs[kind], labels: [] };
}
