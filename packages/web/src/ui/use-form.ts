import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ApiError, isAnswer } from '../app/api-error.ts';
import { queryClient } from '../app/session.ts';
import { useFocusWrong } from './focus-wrong.ts';
import { dismiss, notifyError } from './toast.tsx';

export type Wrong<F extends string> = Partial<Record<F, string | null | undefined>>;

/**
 * Shows messages of a 422 at their fields, other errors as toasts. Focuses the first invalid field.
 * @param codes field for each business code
 * @param rest field for all other errors of the input; default: toast
 */
export function useForm<F extends string, E extends HTMLElement = HTMLDivElement>(
  codes: Readonly<Partial<Record<number, F>>> = {},
  rest?: F,
) {
  const [wrong, setWrong] = useState<Wrong<F>>({});
  const [busy, setBusy] = useState(false);
  // two clicks may come before the next render
  const sending = useRef(false);
  const fields = useFocusWrong<E>(wrong);
  // of the last attempt, dismissed by the next
  const corner = useRef<readonly number[]>([]);
  const place = (error: unknown) => {
    if (error instanceof ApiError && error.code === 422) {
      const serverErrors = Object.entries(error.fields).map(([name, messages]) => [name, messages[0]]);
      setWrong(Object.fromEntries(serverErrors) as Wrong<F>);
    } else if (error instanceof ApiError) {
      // the page shows outdated data
      if (error.code === 4104) void queryClient.invalidateQueries();
      const field = codes[error.code] ?? (isAnswer(error) ? rest : undefined);
      if (field) return setWrong({ [field]: error.message } as Wrong<F>);
    }
    corner.current = notifyError(error);
  };
  /** Runs if all fields are valid. `caught` returns whether it handled the error. */
  const send = async (
    inputErrors: Wrong<F>,
    act: () => Promise<unknown>,
    caught: (error: unknown) => boolean = () => false,
  ): Promise<void> => {
    if (sending.current) return;
    for (const id of corner.current) dismiss(id);
    corner.current = [];
    // An identical message must count as new.
    flushSync(() => setWrong({}));
    setWrong(inputErrors);
    if (Object.values(inputErrors).some(Boolean)) return;
    sending.current = true;
    setBusy(true);
    try {
      await act();
    } catch (error) {
      if (!caught(error)) place(error);
    }
    sending.current = false;
    setBusy(false);
  };
  return { wrong, setWrong, busy, fields, send };
}
