import { Unicode11Addon } from '@xterm/addon-unicode11';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import type { ReplayScreen } from './playback.ts';
import { withSheetStyles } from './sheet-styles.ts';
import { followTheme, terminalLooks } from './terminal-theme.ts';

const scrollback = 5000;
/** Pixels. */
const fonts = { smallest: 9, largest: 15 } as const;
const widthOfHeight = 0.62;
/** ECMA-48: RIS. In the order of the output, other than `Terminal.reset`. */
const fullReset = '\x1bc';

/** Takes no input; its font makes a line fit. */
export function makeReplayTerminal(element: HTMLElement, label: string): ReplayScreen & { dispose(): void } {
  const terminal = new Terminal({
    ...terminalLooks(),
    scrollback,
    disableStdin: true,
    allowProposedApi: true,
    minimumContrastRatio: 4.5,
  });
  terminal.loadAddon(new Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  withSheetStyles(() => terminal.open(element));
  terminal.textarea?.setAttribute('aria-label', label);
  const fit = () => {
    const size = Math.floor(element.clientWidth / (terminal.cols * widthOfHeight));
    if (element.clientWidth > 0) terminal.options.fontSize = Math.min(fonts.largest, Math.max(fonts.smallest, size));
  };
  fit();
  const watch = new ResizeObserver(fit);
  watch.observe(element);
  const unfollow = followTheme(terminal);
  let isGone = false;
  return {
    write: (output) => new Promise((drawn) => terminal.write(output, drawn)),
    async resize({ cols, rows }) {
      await new Promise<void>((drawn) => terminal.write('', drawn));
      if (isGone) return;
      terminal.resize(cols, rows);
      fit();
    },
    reset: () => terminal.write(fullReset),
    dispose() {
      isGone = true;
      unfollow();
      watch.disconnect();
      terminal.dispose();
    },
  };
}
