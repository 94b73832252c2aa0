import type { ApplicationCategory, FlowRanking, FlowSpan } from '@yunxun/contract';

export const spans: readonly FlowSpan[] = ['live', '30m', '1h', '24h', '7d', '30d'];
export const rankings: readonly FlowRanking[] = ['client', 'network', 'gateway'];
export const categories: readonly ApplicationCategory[] = [
  'HTTP',
  'Download',
  'IM',
  'Video',
  'Game',
  'Common',
  'Others',
  'Test',
  'Transport',
  'Unknown',
];
