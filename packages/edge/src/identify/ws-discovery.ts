import { randomUUID } from 'node:crypto';
import { type Finding, shortText } from './finding.ts';

/** WS-Discovery of April 2005. */
export function onvifProbe(): Buffer {
  return Buffer.from(
    '<?xml version="1.0" encoding="utf-8"?><e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope" xmlns:w="http://schemas.xmlsoap.org/ws/2004/08/addressing" xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery" xmlns:dn="http://www.onvif.org/ver10/network/wsdl">' +
      `<e:Header><w:MessageID>uuid:${randomUUID()}</w:MessageID><w:To>urn:schemas-xmlsoap-org:ws:2005:04:discovery</w:To><w:Action>http://schemas.xmlsoap.org/ws/2005/04/discovery/Probe</w:Action></e:Header>` +
      '<e:Body><d:Probe><d:Types>dn:NetworkVideoTransmitter</d:Types></d:Probe></e:Body></e:Envelope>',
  );
}

/** Without an XML parser, entities have no effect. */
export function readProbeMatch(packet: Buffer): Finding | null {
  const text = packet.toString('utf8');
  if (!/ProbeMatch/.test(text)) return null;
  const types = elementOf(text, 'Types');
  if (!/(?:^|[\s:])NetworkVideoTransmitter(?:\s|$)/.test(types)) return null;
  const scopes = elementOf(text, 'Scopes').split(/\s+/);
  const scope = (word: string) => {
    const prefix = `onvif://www.onvif.org/${word}/`;
    const found = scopes.find((one) => one.toLowerCase().startsWith(prefix));
    return found === undefined ? null : shortText(decoded(found.slice(prefix.length)));
  };
  return { by: 'onvif', type: 'camera', name: scope('name'), model: scope('hardware') };
}

function elementOf(text: string, name: string): string {
  const begin = new RegExp(`<(?:[\\w-]{1,32}:)?${name}(?:\\s[^<>]{0,512})?>`).exec(text);
  if (!begin) return '';
  const from = begin.index + begin[0].length;
  const end = text.indexOf('<', from);
  return end < 0 ? '' : text.slice(from, end);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
