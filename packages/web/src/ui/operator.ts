import { textOf } from '../app/i18n.ts';

export function operatorName(operator: string): string {
  return textOf(`operator.${operator}`) ?? operator;
}
