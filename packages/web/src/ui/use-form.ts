import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ApiError, isAnswer } from '../app/api-error.ts';
import { useFocusWrong } from './focus-wrong.ts';
import { dismiss, notifyError } from './toast.tsx';

/** What is wrong, beside which field; fields are named as the server names them. */
export type Wrong<F extends string> = Partial<Record<F, string | null | undefined>>;

/**
 * A form's state. The messages of a 422 are said in turn and beside their fields, anything that belongs beside no field
 * in the corner. The focus goes to the first wrong field; a field takes back by itself what is no longer true (`useSaid`).
 * @param codes beside which field a business code belongs
 * @param rest the field beside which every other answer about what was typed belongs; none: in the corner
 */
export function useForm<F extends string, E extends HTMLElement = HTMLDivElement>(
  codes: Readonly<Partial<Record<number, F>>> = {},
  rest?: F,
) {
  const [wrong, setWrong] = useState<Wrong<F>>({});
  const [busy, setBusy] = useState(false);
  const fields = useFocusWrong<E>(wrong);
  // what the last attempt said in the corner is over with the next one
  const corner = useRef<readonly number[]>([]);
  const place = (error: unknown) => {
    if (error instanceof ApiError && error.code === 422) {
      const said = Object.entries(error.fields).map(([name, messages]) => [name, messages[0]]);
      setWrong(Object.fromEntries(said) as Wrong<F>);
    } else if (error instanceof ApiError) {
      const field = codes[error.code] ?? (isAnswer(error) ? rest : undefined);
      if (field) return setWrong({ [field]: error.message } as Wrong<F>);
    }
    corner.current = notifyError(error);
  };
  /** Acts when nothing is wrong with the fields. `caught` answers whether it has dealt with what went wrong. */
  const send = async (
    said: Wrong<F>,
    act: () => Promise<unknown>,
    caught: (error: unknown) => boolean = () => false,
  ): Promise<void> => {
    if (busy) return;
    for (const id of corner.current) dismiss(id);
    corner.current = [];
    // what is said again is said about the values of now: the fields must see that it is new
    flushSync(() => setWrong({}));
    setWrong(said);
    if (Object.values(said).some(Boolean)) return;
    setBusy(true);
    try {
      await act();
    } catch (error) {
      if (!caught(error)) place(error);
    }
    setBusy(false);
  };
  return { wrong, setWrong, busy, fields, send };
}
