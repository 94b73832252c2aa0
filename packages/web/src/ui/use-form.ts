import { useState } from 'react';
import { ApiError } from '../app/api-error.ts';
import { useFocusWrong } from './focus-wrong.ts';
import { notifyError } from './toast.tsx';

/** What is wrong, beside which field; fields are named as the server names them. */
export type Wrong<F extends string> = Partial<Record<F, string | null | undefined>>;

/**
 * The form of a dialog. `codes` says beside which field a business code belongs; the messages of a 422 are said in turn
 * and beside their fields, anything else in the corner. The focus goes to the first wrong field.
 */
export function useForm<F extends string>(codes: Readonly<Partial<Record<number, F>>> = {}) {
  const [wrong, setWrong] = useState<Wrong<F>>({});
  const [busy, setBusy] = useState(false);
  const fields = useFocusWrong<HTMLDivElement>(wrong);
  const place = (error: unknown) => {
    const field = error instanceof ApiError ? codes[error.code] : undefined;
    if (field && error instanceof ApiError) return setWrong({ [field]: error.message } as Wrong<F>);
    if (error instanceof ApiError && error.code === 422) {
      const said = Object.entries(error.fields).map(([name, messages]) => [name, messages[0]]);
      setWrong(Object.fromEntries(said) as Wrong<F>);
    }
    notifyError(error);
  };
  /** Acts when nothing is wrong with the fields. */
  const send = async (said: Wrong<F>, act: () => Promise<unknown>): Promise<void> => {
    if (busy) return;
    setWrong(said);
    if (Object.values(said).some(Boolean)) return;
    setBusy(true);
    try {
      await act();
    } catch (error) {
      place(error);
    }
    setBusy(false);
  };
  return { wrong, setWrong, busy, fields, send };
}
