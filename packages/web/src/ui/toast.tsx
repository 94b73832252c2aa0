import { useEffect, useRef, useSyncExternalStore } from 'react';
import { ApiError, CANCELLED } from '../app/api-error.ts';
import { t } from '../app/i18n.ts';
import { Icon, type IconName } from './icon.tsx';
import { grantorsOf, listed, refusalOf, whyRefused } from './refusal.ts';

type Tone = 'ok' | 'bad' | 'info';
interface Toast {
  id: number;
  tone: Tone;
  text: string;
  undo?: (() => void) | undefined;
}

const LIFE_MS = 6000;
const icons: Record<Tone, IconName> = { ok: 'check', bad: 'alert', info: 'info' };
const listeners = new Set<() => void>();
let toasts: readonly Toast[] = [];
let next = 1;

function change(list: readonly Toast[]): void {
  toasts = list;
  for (const listener of listeners) listener();
}

/**
 * Shows for six seconds; `undo` reverts the action (level 0).
 * @returns id for `dismiss`
 */
export function notify(tone: Tone, text: string, undo?: () => void): number {
  const same = toasts.find((toast) => toast.text === text && !toast.undo);
  if (same) return same.id;
  const toast = { id: next++, tone, text, undo };
  change([...toasts.slice(-4), toast]);
  setTimeout(() => dismiss(toast.id), LIFE_MS);
  return toast.id;
}

export function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

/**
 * Shows the first message per field of a 422, otherwise one sentence.
 * @returns ids for `dismiss`
 */
export function notifyError(error: unknown): number[] {
  if (error instanceof ApiError) {
    if (error.code === 401 || error.code === CANCELLED) return [];
    if (error.code === 4101) {
      void sayRefusal(error);
      return [];
    }
    const fields = Object.values(error.fields).flatMap((messages) => messages.slice(0, 1));
    return (fields.length > 0 ? fields : [error.message]).map((text) => notify('bad', text));
  }
  return [notify('bad', t('error.request'))];
}

async function sayRefusal(error: ApiError): Promise<void> {
  const refusal = refusalOf(error);
  const names =
    refusal.permission && refusal.reason === 'permission' ? await grantorsOf(refusal.permission).catch(() => []) : [];
  notify('bad', whyRefused(refusal));
  if (names.length > 0) notify('info', t('forbidden.who', { names: listed(names) }));
}

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    if (element.matches(':popover-open')) element.hidePopover();
    if (shown.length > 0) element.showPopover();
  }, [shown]);
  return (
    <div ref={box} className="toasts" popover="manual" role="status" aria-live="polite">
      {shown.map((toast) => (
        <div key={toast.id} className={`toast toast-${toast.tone}`}>
          <Icon name={icons[toast.tone]} size={16} />
          <p>{toast.text}</p>
          {toast.undo && (
            <button
              type="button"
              className="btn btn-link"
              onClick={() => {
                toast.undo?.();
                dismiss(toast.id);
              }}
            >
              {t('action.undo')}
            </button>
          )}
          <button
            type="button"
            className="btn btn-quiet btn-icon"
            aria-label={t('action.close')}
            onClick={() => dismiss(toast.id)}
          >
            <Icon name="close" size={14} />
          </button>
        </div>
      ))}
    </div>
  );
}
