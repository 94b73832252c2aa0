/** Most sentences that are kept: one wrong document must not become a long answer. */
const most = 64;

/** Collects what is wrong with a document, in sentences as the firmware writes them. */
export class Complaints {
  readonly #errors: string[] = [];
  readonly #rejected: string[] = [];

  /** The document cannot be taken because of this. `path` is a JSON pointer. */
  error(path: string, sentence: string): void {
    this.#errors.push(`[E] (In ${path === '' ? '/' : path}) ${sentence}`);
  }

  /** This part is left out; the rest can be taken. */
  reject(path: string, sentence: string): void {
    this.#rejected.push(`[W] (In ${path === '' ? '/' : path}) ${sentence}`);
  }

  /** Why the document is refused; empty: it is not. */
  get errors(): readonly string[] {
    return shortened(this.#errors);
  }

  /** What is left out. */
  get rejected(): readonly string[] {
    return shortened(this.#rejected);
  }
}

/** A value of the document inside a sentence: short, quoted, without control characters. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  const short = text.length > 48 ? `${text.slice(0, 48)}…` : text;
  return `"${short.replaceAll(/[\p{C}"\\]/gu, '?')}"`;
}

function shortened(sentences: readonly string[]): readonly string[] {
  if (sentences.length <= most) return sentences;
  return [...sentences.slice(0, most), `[E] and ${sentences.length - most} more`];
}
