export { emptyLayout, type Layout, type LayoutInterface, type LayoutLine } from './layout.ts';
export { createMeasures, type Measures, type MeasuresOptions } from './measures.ts';
export type { LineWord } from './prober.ts';
