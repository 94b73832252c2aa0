import { asRecord, asText } from '@yunxun/contract/device';

/** Limit of a firmware image, in bytes. */
const max = 256 * 1024 * 1024;

export async function fetchImage(uri: string): Promise<{ name: string; bytes: number } | null> {
  try {
    const address = new URL(uri);
    const response = await fetch(address, { signal: AbortSignal.timeout(120_000) });
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      return null;
    }
    let bytes = 0;
    for await (const chunk of response.body) {
      bytes += (chunk as Uint8Array).length;
      if (bytes > max) return null;
    }
    return bytes === 0 ? null : { name: nameOf(address), bytes };
  } catch {
    return null;
  }
}

export async function fetchAgent(uri: string): Promise<{ name: string; bytes: number } | null> {
  const image = await fetchImage(uri);
  if (image === null) return null;
  try {
    const response = await fetch(`${uri}.sig`, { signal: AbortSignal.timeout(10_000) });
    const version = asText(asRecord<{ version: string }>(await response.json()).version, 64);
    return version === null ? null : { ...image, name: `Yunxun edge ${version}` };
  } catch {
    return null;
  }
}

function nameOf(address: URL): string {
  const file = decodeURIComponent(address.pathname.split('/').at(-1) ?? '');
  const name = file.replace(/(-squashfs|-sysupgrade|\.(bin|tar|gz|img|itb))+$/g, '');
  return name === '' ? address.host : name;
}
