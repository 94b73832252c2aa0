import { bodyOf, countdownContent, type Frame, signInContent, type Way } from './pages.ts';

export interface Preview {
  ways: readonly Way[];
  countdown: boolean;
}

/** Returns a new guest's `body`, in a network that sells nothing. */
export function previewBody(given: Pick<Frame, 'locale' | 'page' | 'picture'>, { ways, countdown }: Preview): string {
  const advertisement = countdown && given.page.countdown;
  const frame: Frame = { ...given, style: '', otherLanguage: advertisement ? null : '' };
  const content = advertisement
    ? countdownContent(frame, { seconds: advertisement.seconds, next: '' })
    : signInContent(frame, {
        ways,
        action: '',
        state: '',
        error: null,
        codeSent: null,
        smsToFile: false,
        typed: {},
        shop: { offers: [], methods: [], earlier: null },
      });
  return bodyOf(frame, content).text;
}
