const envelope = (body: string) =>
  `<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body>${body}</s:Body></s:Envelope>`;
const media = 'xmlns="http://www.onvif.org/ver10/media/wsdl"';

/** ONVIF Core Specification: needs no password. */
export const getCapabilities = envelope(
  '<GetCapabilities xmlns="http://www.onvif.org/ver10/device/wsdl"><Category>Media</Category></GetCapabilities>',
);
export const getProfiles = envelope(`<GetProfiles ${media}/>`);

export const getSnapshotUri = (profile: string) =>
  envelope(`<GetSnapshotUri ${media}><ProfileToken>${profile}</ProfileToken></GetSnapshotUri>`);

export const readMediaAddress = (text: string): string | null => pathOf(elementOf(text, 'XAddr'));
export const readSnapshotPath = (text: string): string | null => pathOf(elementOf(text, 'Uri'));

/** Takes plain tokens only: they are sent back unescaped. */
export function readProfile(text: string): string | null {
  return /<(?:[\w-]{1,32}:)?Profiles\s[^<>]{0,512}?\btoken="([\w.:-]{1,64})"/.exec(text)?.[1] ?? null;
}

function elementOf(text: string, name: string): string | null {
  return (
    new RegExp(`<(?:[\\w-]{1,32}:)?${name}(?:\\s[^<>]{0,256})?>\\s*([^<>\\s]{1,1024})\\s*<`).exec(text)?.[1] ?? null
  );
}

/** Drops host and port: only the declared address is asked. */
function pathOf(given: string | null): string | null {
  const text = given?.replaceAll('&amp;', '&') ?? '';
  if (!URL.canParse(text)) return null;
  const { protocol, pathname, search } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? pathname + search : null;
}
