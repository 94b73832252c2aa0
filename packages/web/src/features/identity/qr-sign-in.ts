import { limits } from '@yunxun/contract/limits';
import { useEffect, useRef, useState } from 'react';
import { ApiError, isAnswer } from '../../app/api-error.ts';
import { call, pollForToken } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';

/** `url`: the code's content; an ended code stays, veiled. */
export type QrSignIn =
  | { at: 'starting' }
  | { at: 'waiting' | 'confirmed' | 'refused' | 'expired'; url: string }
  | { at: 'failed'; why: string };

const polls = limits.qrSeconds / limits.qrPollSeconds;

/** Polls every three seconds, twenty times. */
export function useQrSignIn(remember: boolean, enter: (token: string) => Promise<void>) {
  const [state, setState] = useState<QrSignIn>({ at: 'starting' });
  const [round, setRound] = useState(0);
  // uses the values at confirmation, not at creation
  const latest = useRef({ remember, enter });
  latest.current = { remember, enter };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round makes a code of its own
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const show = (next: QrSignIn) => {
      if (!signal.aborted) setState(next);
    };
    const follow = async () => {
      show({ at: 'starting' });
      const { qruuid, url } = await call('/api/v3/qrcode/create', {}, { signal });
      show({ at: 'waiting', url });
      for (let poll = 0; poll < polls && !signal.aborted; poll++) {
        await pause(limits.qrPollSeconds * 1000, signal);
        const answer = await check(qruuid, latest.current.remember, signal);
        if (answer?.token) {
          show({ at: 'confirmed', url });
          return latest.current.enter(answer.token);
        }
        if (answer?.status === 'refused') return show({ at: 'refused', url });
        if (answer?.status === 'expired') break;
      }
      show({ at: 'expired', url });
    };
    follow().catch((error: unknown) => {
      show({ at: 'failed', why: error instanceof ApiError ? error.message : t('error.request') });
    });
    return () => stop.abort();
  }, [round]);
  return { state, again: () => setRound((each) => each + 1) };
}

/** Returns null after a failure: the next poll retries. */
async function check(qruuid: string, remember: boolean, signal: AbortSignal) {
  try {
    const { data, token } = await pollForToken('/api/v3/check_qrcode_id', { qruuid, remember }, { signal });
    return { status: data.status, token };
  } catch (error) {
    if (isAnswer(error) || signal.aborted) throw error;
    return null;
  }
}

/** Waits; rejects on abort. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done, gone) => {
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      gone(signal.reason);
    });
  });
}
