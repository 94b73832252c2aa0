export { createFlow, type EdgeFlow, type FlowOptions } from './flow.ts';
export { readMatch, type WrittenRule } from './rules.ts';
