import { layers as contract } from '@yunxun/contract';
import { Complaints } from '../complaints.ts';
import { completeIntent, type IntentInput } from '../validate.ts';
import { type GeneralSettings, type LayerContent, noGeneral } from './layered.ts';

/** What a layer is to say, as it came in. */
export interface LayerInput extends IntentInput {
  general?: GeneralSettings | undefined;
  locks?: readonly string[] | undefined;
}

/**
 * The content that an input means over the one in force: new SSIDs get an id, known ones keep a key that they do not bring.
 * Only what is set can be locked.
 * @throws Invalid with the complaints beside their fields
 */
export function completeLayer(
  current: LayerContent,
  input: LayerInput,
  kind: contract.TemplateKind | 'group',
): LayerContent {
  const complaints = new Complaints();
  if (kind === 'ac' && input.ssids.length > 0) complaints.add('ssids', 'validation.maxItems', { max: 0 });
  complaints.settle();
  const intent = completeIntent(current, input);
  const content = { ...intent, general: { ...noGeneral, ...input.general }, locks: [...(input.locks ?? [])] };
  for (const [index, path] of content.locks.entries()) {
    if (!isSet(content, path)) complaints.add(`locks.${index}`, 'validation.invalid');
  }
  complaints.settle();
  return { ...content, locks: content.locks.toSorted() };
}

function isSet({ country, ssids, radios, general }: LayerContent, path: string): boolean {
  const [section, rest] = [path.slice(0, path.indexOf('.')), path.slice(path.indexOf('.') + 1)];
  if (section === 'ssids') return ssids.some(({ name }) => name === rest);
  if (!contract.lockable.includes(path)) return false;
  if (path === 'country') return country !== null;
  if (section === 'general') return general[rest as keyof GeneralSettings] !== null;
  const [band, field] = rest.split('.');
  const radio = radios.find((one) => one.band === band);
  return radio !== undefined && radio[field as 'channel'] !== null;
}
