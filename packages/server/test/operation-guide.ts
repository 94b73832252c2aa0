import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function exampleOf(language: string, locale: 'en' | 'zh-CN' = 'en'): string {
  const text = readFileSync(join(import.meta.dirname, `../../../docs/operation.${locale}.md`), 'utf8');
  const found = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(text);
  if (!found) throw new Error(`docs/operation.${locale}.md has no example for ${language}`);
  return found[1]!;
}

export const exampleLanguages = ['nginx', 'caddyfile', 'ini'] as const;
