import type { PortalMethodKind } from '@yunxun/contract';
import { bodyOf, type Frame } from './frame.ts';
import { previewData } from './methods/forms.ts';
import { countdownContent, signInContent, signInLead } from './pages.ts';

export interface Preview {
  ways: readonly PortalMethodKind[];
  countdown: boolean;
}

/** Returns a new guest's `body`, in a network that sells nothing. */
export function previewBody(given: Pick<Frame, 'locale' | 'page' | 'picture'>, { ways, countdown }: Preview): string {
  const advertisement = countdown && given.page.countdown;
  const frame: Frame = { ...given, style: '', otherLanguage: advertisement ? null : '' };
  if (advertisement) return bodyOf(frame, countdownContent(frame, { seconds: advertisement.seconds, next: '' })).text;
  const signIn = { ways, action: '', state: '', error: null, typed: {}, data: previewData(ways) };
  return bodyOf(frame, signInContent(frame, signIn), signInLead(frame)).text;
}
