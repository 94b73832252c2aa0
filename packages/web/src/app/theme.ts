import { useSyncExternalStore } from 'react';

/** Default: light. An attribute on the document sets all colours, so a switch does not re-render. */
export type Theme = 'light' | 'dark';
export type ThemeChoice = Theme | 'system';

// boot.js reads the same key before the first paint
const KEY = 'yunxun.theme';
const ATTRIBUTE = 'data-theme';
const listeners = new Set<() => void>();
let following = false;

export function currentTheme(): Theme {
  return document.documentElement.getAttribute(ATTRIBUTE) === 'dark' ? 'dark' : 'light';
}

export function setTheme(choice: ThemeChoice): void {
  sessionStorage.setItem(KEY, choice);
  show();
}

export function chosenTheme(): ThemeChoice | null {
  const choice = sessionStorage.getItem(KEY);
  return choice === 'light' || choice === 'dark' || choice === 'system' ? choice : null;
}

/** Follows the operating system while the choice is `system`. Called once. */
export function followSystemTheme(): void {
  if (following) return;
  following = true;
  system().addEventListener('change', show);
  show();
}

/** Adopts the server's theme. At sign-in it replaces the session's; later it only fills a new tab's empty session. */
export function adoptTheme(choice: ThemeChoice, atSignIn: boolean): void {
  if (atSignIn || sessionStorage.getItem(KEY) === null) setTheme(choice);
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentTheme);
}

const system = () => matchMedia('(prefers-color-scheme: dark)');

function show(): void {
  const choice = sessionStorage.getItem(KEY);
  const dark = choice === 'system' ? system().matches : choice === 'dark';
  document.documentElement.setAttribute(ATTRIBUTE, dark ? 'dark' : 'light');
  for (const listener of listeners) listener();
}
