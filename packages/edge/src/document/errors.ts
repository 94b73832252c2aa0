/** Bounds the answer to a bad document. */
const max = 64;

export class DocumentErrors {
  readonly #errors: string[] = [];
  readonly #rejected: string[] = [];

  error(path: string, sentence: string): void {
    this.#errors.push(`[E] (In ${path === '' ? '/' : path}) ${sentence}`);
  }

  reject(path: string, sentence: string): void {
    this.#rejected.push(`[W] (In ${path === '' ? '/' : path}) ${sentence}`);
  }

  get errors(): readonly string[] {
    return shortened(this.#errors);
  }

  get rejected(): readonly string[] {
    return shortened(this.#rejected);
  }
}

export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  const short = text.length > 48 ? `${text.slice(0, 48)}…` : text;
  return `"${short.replaceAll(/[\p{C}"\\]/gu, '?')}"`;
}

function shortened(sentences: readonly string[]): readonly string[] {
  if (sentences.length <= max) return sentences;
  return [...sentences.slice(0, max), `[E] and ${sentences.length - max} more`];
}
