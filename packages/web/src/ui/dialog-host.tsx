import { createContext, type ReactNode, use, useEffect, useState, useSyncExternalStore } from 'react';
import { ApiError } from '../app/api-error.ts';
import { t } from '../app/i18n.ts';
import { queryClient } from '../app/session.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { notifyError } from './toast.tsx';

export interface Question {
  title: string;
  body: ReactNode;
  losses?: readonly string[];
  confirm: string;
  cancel?: { label: string; act: () => void };
  danger?: boolean;
  /** Level 3: name that must be typed. */
  typed?: string;
  /** The body loads what it shows, and calls `useAnswerable`. */
  waits?: boolean;
  /** The dialog stays busy until it settles, and open on errors that a retry may solve. */
  act: () => Promise<unknown>;
}

/** Returns true if a retry cannot succeed: gone, or changed meanwhile. */
const isOver = (error: unknown) => error instanceof ApiError && [4104, 4113, 4116].includes(error.code);

let open: Question | null = null;
/** A repeated question gets a new dialog. */
let asked = 0;
const listeners = new Set<() => void>();

function show(question: Question | null): void {
  open = question;
  for (const listener of listeners) listener();
}

/** Asks at level 2, or 3 with `typed`. Level 0 is a toast with undo, level 1 a `ConfirmPopover`. */
export function ask(question: Question): void {
  asked += 1;
  show(question);
}

export function DialogHost() {
  const question = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
  return question && <QuestionDialog key={asked} question={question} />;
}

const Answerable = createContext<(ready: boolean) => void>(() => {});

/** Keeps the answer back until the body shows what it would do. */
export function useAnswerable(ready: boolean): void {
  const tell = use(Answerable);
  useEffect(() => tell(ready), [tell, ready]);
}

function QuestionDialog({ question }: { question: Question }) {
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [ready, setReady] = useState(question.waits !== true);
  const allowed = ready && (question.typed === undefined || typed.trim() === question.typed);
  const leave = () => {
    show(null);
    question.cancel?.act();
  };
  const act = async () => {
    if (!allowed || busy) return;
    setBusy(true);
    try {
      await question.act();
      // another question may be open by now
      if (open === question) show(null);
    } catch (error) {
      notifyError(error);
      setBusy(false);
      if (!isOver(error)) return;
      if (open === question) show(null);
      // the page shows outdated data
      void queryClient.invalidateQueries();
    }
  };
  return (
    <Dialog
      title={question.title}
      onClose={leave}
      onSubmit={act}
      foot={
        <>
          <Button onClick={leave}>{question.cancel?.label ?? t('action.cancel')}</Button>
          <Button kind={question.danger ? 'danger' : 'primary'} type="submit" busy={busy} disabled={!allowed}>
            {question.confirm}
          </Button>
        </>
      }
    >
      <Answerable value={setReady}>
        <div>{question.body}</div>
      </Answerable>
      {question.losses && question.losses.length > 0 && (
        <ul className={question.danger ? 'losses losses-bad' : 'losses'}>
          {question.losses.map((loss) => (
            <li key={loss}>{loss}</li>
          ))}
        </ul>
      )}
      {question.typed !== undefined && (
        <div className="field">
          <label htmlFor="typed-name">{t('confirm.type_name', { name: question.typed })}</label>
          <input
            id="typed-name"
            className="input"
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
      )}
    </Dialog>
  );
}
