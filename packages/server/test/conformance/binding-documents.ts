import { readFileSync } from 'node:fs';
import type { Registered, TestServer } from '../server.ts';

export const languages = ['en', 'zh-CN'] as const;

const documentOf = (language: (typeof languages)[number]) =>
  readFileSync(new URL(`../../../../docs/binding.${language}.md`, import.meta.url), 'utf8');

/**
 * Returns the documented command with the test's URL, code and MAC; also patches the script's console address.
 * @param variable `ENROLL_SWITCH` for switches; null for the command without a variable
 */
export function documentedLine(
  language: (typeof languages)[number],
  variable: 'ENROLL_SWITCH' | null,
  { server, owner, mac }: { server: TestServer; owner: Registered; mac: string },
): string {
  const lines = documentOf(language).match(/^ *curl -fsS https:\/\/console\.example\.org\/enroll\.sh \| .*$/gm) ?? [];
  const [line] = lines.filter((one) => (variable ? one.includes(`${variable}=`) : / \| sh -s -- /.test(one)));
  if (!line) throw new Error(`docs/binding.${language}.md has no such line`);
  return line
    .replace(
      'https://console.example.org/enroll.sh |',
      `${server.url}/enroll.sh | sed "s|^console=.*|console='${server.url}'|" |`,
    )
    .replace(/<MAC>/, mac)
    .replace(/<[^<>]+>$/, owner.bindingCode);
}
