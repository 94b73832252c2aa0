export { emptyLayout, type Layout, type LayoutInterface, type LayoutWan } from './layout.ts';
export { createMeasures, type Measures, type MeasuresOptions } from './measures.ts';
export type { WanStatus } from './prober.ts';
