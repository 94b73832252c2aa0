export const touchKeys = ['esc', 'tab', 'ctrl', 'left', 'up', 'down', 'right', 'pipe', 'slash', 'hyphen'] as const;
export type TouchKey = (typeof touchKeys)[number];

const characters = { esc: '\x1b', tab: '\t', pipe: '|', slash: '/', hyphen: '-' } as const;
/** Last letters of cursor keys (ECMA-48: CUU, CUD, CUF, CUB). */
const arrows = { up: 'A', down: 'B', right: 'C', left: 'D' } as const;

/** Turns the next typed character into its control code, or modifies the next arrow. */
export class CtrlLatch {
  #isOn = false;
  readonly #changed: (on: boolean) => void;

  constructor(changed: (on: boolean) => void) {
    this.#changed = changed;
  }

  toggle(): void {
    this.#isOn = !this.#isOn;
    this.#changed(this.#isOn);
  }

  /** Longer text is pasted, or answers the program. */
  apply(text: string): string {
    return text.length === 1 && this.#take() ? controlCode(text) : text;
  }

  /** @param isApplication the program has set DECCKM */
  textOf(key: Exclude<TouchKey, 'ctrl'>, isApplication: boolean): string {
    if (!(key in arrows)) return characters[key as keyof typeof characters];
    const letter = arrows[key as keyof typeof arrows];
    if (this.#take()) return `\x1b[1;5${letter}`;
    return `\x1b${isApplication ? 'O' : '['}${letter}`;
  }

  #take(): boolean {
    const wasOn = this.#isOn;
    if (wasOn) this.toggle();
    return wasOn;
  }
}

/** Caret notation of ASCII; other characters stay. */
function controlCode(character: string): string {
  if (character === ' ') return '\0';
  if (character === '?') return '\x7f';
  return /[@-_a-z]/.test(character) ? String.fromCharCode(character.charCodeAt(0) & 0x1f) : character;
}
