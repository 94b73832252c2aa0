import { FitAddon } from '@xterm/addon-fit';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import type { RemoteSize } from '@yunxun/contract/remote-terminal';
import { withSheetStyles } from './sheet-styles.ts';
import { followTheme, terminalLooks } from './terminal-theme.ts';
import { CtrlLatch, type TouchKey } from './touch/touch-keys.ts';

export interface Screen {
  write(data: Uint8Array): void;
  size(): RemoteSize;
  paste(text: string): void;
  press(key: TouchKey): void;
  focus(): void;
  reset(): void;
  dispose(): void;
}

export interface ScreenEvents {
  typed(data: Uint8Array): void;
  sized(size: RemoteSize): void;
  pasting(text: string): void;
  hold(on: boolean): void;
  /** The touch key Ctrl was pressed or released. */
  latched(on: boolean): void;
}

/** Bytes that are not drawn. */
const behind = { hold: 512 * 1024, goOn: 64 * 1024 } as const;
const scrollback = 5000;

export function makeScreen(element: HTMLElement, label: string, events: ScreenEvents): Screen {
  const terminal = new Terminal({
    ...terminalLooks(),
    scrollback,
    // for the widths of Unicode 11
    allowProposedApi: true,
    minimumContrastRatio: 4.5,
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.loadAddon(new Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  withSheetStyles(() => terminal.open(element));
  terminal.textarea?.setAttribute('aria-label', label);
  fit.fit();
  const unfollow = followTheme(terminal);

  const encoder = new TextEncoder();
  const latch = new CtrlLatch(events.latched);
  terminal.onData((text) => events.typed(encoder.encode(latch.apply(text))));
  terminal.onBinary((text) => events.typed(Uint8Array.from(text, (character) => character.charCodeAt(0))));
  terminal.onResize(({ cols, rows }) => events.sized({ cols, rows }));
  const watch = new ResizeObserver(() => {
    if (element.clientWidth > 0) fit.fit();
  });
  watch.observe(element);
  const guard = (event: ClipboardEvent) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    // a line break at the end runs the command too
    if (!/[\r\n]/.test(text)) return;
    event.preventDefault();
    event.stopPropagation();
    events.pasting(text);
  };
  element.addEventListener('paste', guard, true);

  let pending = 0;
  let isHeld = false;
  const hold = (on: boolean) => {
    if (isHeld === on) return;
    isHeld = on;
    events.hold(on);
  };
  return {
    write(data) {
      pending += data.length;
      if (pending > behind.hold) hold(true);
      terminal.write(data, () => {
        pending -= data.length;
        if (pending < behind.goOn) hold(false);
      });
    },
    size: () => ({ cols: terminal.cols, rows: terminal.rows }),
    paste: (text) => terminal.paste(text),
    press(key) {
      if (key !== 'ctrl') return terminal.input(latch.textOf(key, terminal.modes.applicationCursorKeysMode));
      latch.toggle();
      terminal.focus();
    },
    focus: () => terminal.focus(),
    reset: () => terminal.reset(),
    dispose() {
      unfollow();
      watch.disconnect();
      element.removeEventListener('paste', guard, true);
      terminal.dispose();
    },
  };
}
