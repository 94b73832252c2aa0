import { textOf } from '../app/i18n.ts';

/** Who did something: a person by name; the program and devices by what they are. */
export function operatorName(operator: string): string {
  return textOf(`operator.${operator}`) ?? operator;
}
