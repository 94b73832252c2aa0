import type { planned as zh } from '../zh-cn/planned.ts';

export const planned: Record<keyof typeof zh, string> = {
  'planned.audit':
    'Search browsing records by user, MAC, IP, domain and time, with the retention stated; every export is itself logged.',
};
