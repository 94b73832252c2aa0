import type { Data } from '../../app/api.ts';

export type RuleRow = Data<'/api/v3/alarm_rule/list'>['list'][number];
