export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Markup | null | false | readonly Value[];

/** Template tag: every value is escaped, unless it is `Markup`; null and false print nothing. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Markup {
  return new Markup(strings.reduce((text, part, index) => text + print(values[index - 1] ?? null) + part));
}

function print(value: Value): string {
  if (value === null || value === false) return '';
  if (value instanceof Markup) return value.text;
  return typeof value === 'object' ? value.map(print).join('') : escapeHtml(String(value));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes for element content and quoted attributes; drops control characters, which HTML forbids. */
export function escapeHtml(text: string): string {
  return text.replace(/[^\P{Cc}\t\n\r]|\p{Bidi_Control}/gu, '').replace(/[&<>"']/g, (one) => entities[one]!);
}
