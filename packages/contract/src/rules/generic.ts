import type { Rule, RuleParams } from './rule.ts';
import { charactersOf, sizeText, tripleLengthOf } from './text.ts';

const within = (value: number, min: number, max: number): boolean => value >= min && value <= max;
const numeric = /^-?\d+(\.\d+)?$/;
const numberOf = (value: string): number => (numeric.test(value) ? Number(value) : Number.NaN);
const parametrised = (key: string, params: RuleParams, test: (value: string) => boolean): Rule => ({
  key,
  params,
  test,
});

export const length = (min: number, max: number): Rule =>
  parametrised('length', { min, max }, (value) => within(charactersOf(value), min, max));
/** Limits the length; a non-ASCII character counts as 3. */
export const tripleLength = (min: number, max: number): Rule =>
  parametrised('tripleLength', { min, max }, (value) => within(tripleLengthOf(value), min, max));
export const minLength = (min: number): Rule =>
  parametrised('minLength', { min }, (value) => charactersOf(value) >= min);
export const maxLength = (max: number): Rule =>
  parametrised('maxLength', { max }, (value) => charactersOf(value) <= max);
export const minValue = (min: number): Rule => parametrised('minValue', { min }, (value) => numberOf(value) >= min);
export const maxValue = (max: number): Rule => parametrised('maxValue', { max }, (value) => numberOf(value) <= max);
export const between = (min: number, max: number): Rule =>
  parametrised('between', { min, max }, (value) => within(numberOf(value), min, max));
export const confirmed = (original: string): Rule => ({ key: 'confirmed', test: (value) => value === original });
export const digits = (count: number): Rule =>
  parametrised('digits', { count }, (value) => value.length === count && /^\d+$/.test(value));
export const decimal = (places: number): Rule =>
  parametrised('decimal', { places }, (value) => numeric.test(value) && (value.split('.')[1] ?? '').length <= places);

const parts = /YYYY|MM|DD|HH|mm|ss/g;
/** Accepts valid calendar dates in a format such as `YYYY-MM-DD HH:mm`. */
export function dateFormat(format: string): Rule {
  const order: string[] = format.match(parts) ?? [];
  const escaped = format.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const shape = new RegExp(`^${escaped.replace(parts, (part) => `(\\d{${part.length}})`)}$`);
  return parametrised('dateFormat', { format }, (value) => {
    const found = shape.exec(value);
    if (!found) return false;
    const given = (part: string, fallback: number): number => Number(found[order.indexOf(part) + 1 || 9] ?? fallback);
    const [year, month, day] = [given('YYYY', 2000), given('MM', 1), given('DD', 1)];
    // The calendar repeats every 400 years; Date misreads years below 100.
    const daysInMonth = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
    return (
      within(month, 1, 12) &&
      within(day, 1, daysInMonth) &&
      given('HH', 0) < 24 &&
      given('mm', 0) < 60 &&
      given('ss', 0) < 60
    );
  });
}

const extensionOf = (name: string): string => /[^/\\]\.([^.\\/]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
/** Accepts file names with one of the extensions (lower case, no dot). */
export const fileType = (extensions: readonly string[]): Rule =>
  parametrised('fileType', { types: extensions.join(', ') }, (value) => extensions.includes(extensionOf(value)));
export const image: Rule = { key: 'image', test: fileType(['jpg', 'jpeg', 'png', 'gif']).test };
/** Tests bytes; the message uses a suitable unit. */
export const fileSize = (kilobytes: number): Rule =>
  parametrised(
    'fileSize',
    { size: sizeText(kilobytes) },
    (value) => /^\d+$/.test(value) && Number(value) <= kilobytes * 1024,
  );
