import { type ComponentType, useSyncExternalStore } from 'react';

/** What is open: the search, the list of keyboard shortcuts, the dialog of a found act, or none. */
export type PaletteState = 'search' | 'keys' | { Dialog: ComponentType<{ onClose: () => void }> } | null;

let state: PaletteState = null;
const listeners = new Set<() => void>();

export function showPalette(next: PaletteState): void {
  state = next;
  for (const listener of listeners) listener();
}

export function usePalette(): PaletteState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}

/** Whether a key pressed there belongs to a field or to a dialog. */
const isTaken = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input,textarea,select,dialog,[contenteditable]') !== null;

/**
 * Opens the search by Ctrl-K or Cmd-K, and by `/` where the screen has no search of its own (a list's search takes the
 * key first); `?` lists the shortcuts.
 */
export function listenForKeys(): () => void {
  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey) return;
    const command = event.ctrlKey || event.metaKey;
    const isSearch = command ? event.key.toLowerCase() === 'k' && !event.shiftKey : event.key === '/';
    const isHelp = !command && event.key === '?';
    if (!isSearch && !isHelp) return;
    // the browser's own search must not open, not even over a dialog
    if (command) event.preventDefault();
    // a dialog that asks something stays in front
    if (document.querySelector('dialog:modal:not(.drawer)') || (!command && isTaken(event.target))) return;
    event.preventDefault();
    showPalette(isSearch ? 'search' : 'keys');
  };
  addEventListener('keydown', press);
  return () => removeEventListener('keydown', press);
}
