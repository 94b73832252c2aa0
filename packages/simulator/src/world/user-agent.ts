import type { Station } from './station.ts';

const web = 'AppleWebKit/537.36 (KHTML, like Gecko)';

export function userAgentOf({ person }: Station): string {
  const { vendor, class: kind } = person.habit.fingerprint;
  if (kind === 'phone') {
    if (vendor === 'Apple')
      return 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
    return vendor === 'Huawei'
      ? `Mozilla/5.0 (Phone; OpenHarmony 5.0) ${web} ArkWeb/4.1 Mobile`
      : `Mozilla/5.0 (Linux; Android 15) ${web} Chrome/130.0 Mobile`;
  }
  return vendor === 'Apple'
    ? `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${web} Safari/605.1.15`
    : `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${web} Chrome/130.0`;
}
