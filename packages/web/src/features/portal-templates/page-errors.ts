import { t } from '../../app/i18n.ts';
import { fieldError } from '../../ui/field.tsx';
import { whole } from '../../ui/rule-fields.tsx';
import type { Wrong } from '../../ui/use-form.ts';
import { bounds, type PageDraft } from './draft.ts';

/** By the server's field names. */
export function pageErrors({ on, countdown, title, text, terms, ...page }: PageDraft): Wrong<string> {
  const wrong: Wrong<string> = {};
  const missing = t('portal.picture_missing');
  if (on.logo && page.logo === null) wrong['page.logo'] = missing;
  if (on.background && page.background === null) wrong['page.background'] = missing;
  if (on.carousel && page.carousel.length === 0) wrong['page.carousel'] = missing;
  if (on.countdown) {
    if (countdown.picture === null) wrong['page.countdown'] = missing;
    const [min, max] = bounds.seconds;
    wrong['page.countdown.seconds'] = fieldError(whole(min, max), countdown.seconds);
  }
  wrong['page.title.zh'] = fieldError('required', title.zh);
  for (const [field, { zh, en }] of Object.entries({ text, terms }))
    if (en.trim() !== '') wrong[`page.${field}.zh`] = fieldError('required', zh);
  return wrong;
}

const at = (thing: object, key: string): unknown => Object.entries(thing).find(([name]) => name === key)?.[1];

/** Returns the errors whose part of the page is as it was when they were found. */
export function openErrors(wrong: Wrong<string>, found: PageDraft, now: PageDraft): Wrong<string> {
  const isSame = (part: string) => at(found, part) === at(now, part) && at(found.on, part) === at(now.on, part);
  return Object.fromEntries(Object.entries(wrong).filter(([field]) => isSame(field.split('.')[1] ?? '')));
}
