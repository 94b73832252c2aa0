/** Largest firmware image that is fetched to the end, bytes. */
const most = 256 * 1024 * 1024;

/** Fetches a firmware image as the device would, and throws it away; null when that fails. */
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
      if (bytes > most) return null;
    }
    return bytes === 0 ? null : { name: nameOf(address), bytes };
  } catch {
    return null;
  }
}

/** `openwrt-v5.2.0` of `…/openwrt-v5.2.0-sysupgrade.bin`. */
function nameOf(address: URL): string {
  const file = decodeURIComponent(address.pathname.split('/').at(-1) ?? '');
  const name = file.replace(/(-squashfs|-sysupgrade|\.(bin|tar|gz|img|itb))+$/g, '');
  return name === '' ? address.host : name;
}
