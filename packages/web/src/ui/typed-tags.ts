import { t } from '../app/i18n.ts';
import { fieldError } from './field.tsx';

/** Splits at commas of either language, and at line breaks. */
export function tagsOf(text: string): string[] {
  return [
    ...new Set(
      text
        .split(/[,，、\n]+/)
        .map((tag) => tag.trim())
        .filter(Boolean),
    ),
  ];
}

export function tagsError(tags: readonly string[]): string | null {
  for (const tag of tags) {
    const error = fieldError('freeText', tag);
    if (error) return error;
  }
  if (tags.some((tag) => tag.length > 32)) return t('validation.maxLength', { max: 32 });
  return tags.length > 20 ? t('validation.maxItems', { max: 20 }) : null;
}
