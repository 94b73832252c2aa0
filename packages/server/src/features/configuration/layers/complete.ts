import { layers as contract, type switches } from '@yunxun/contract';
import { completeIntent, type IntentInput } from '../validate.ts';
import { ValidationErrors } from '../validation-errors.ts';
import { type GeneralSettings, type LayerContent, noGeneral } from './merge-layers.ts';

export interface LayerInput extends IntentInput {
  general?: (Omit<GeneralSettings, 'ports'> & Partial<Pick<GeneralSettings, 'ports'>>) | undefined;
  locks?: readonly string[] | undefined;
}

/**
 * Gives ids to new SSIDs; known ones keep omitted keys. Only set fields can be locked.
 * @throws Invalid
 */
export function completeLayer(
  current: LayerContent,
  input: LayerInput,
  kind: contract.TemplateKind | 'group',
): LayerContent {
  const errors = new ValidationErrors();
  if (kind === 'ac' && input.ssids.length > 0) errors.add('ssids', 'validation.maxItems', { max: 0 });
  const rules = input.general?.ports ?? null;
  // switches get wireless templates through networks only
  if (kind === 'wireless' && rules) errors.add('general.ports', 'validation.maxItems', { max: 0 });
  checkPortRules(rules ?? [], errors);
  errors.settle();
  const intent = completeIntent(current, input);
  const content = {
    ...intent,
    general: { ...noGeneral, ...input.general, ports: rules },
    locks: [...(input.locks ?? [])],
  };
  for (const [index, path] of content.locks.entries()) {
    if (!isSet(content, path)) errors.add(`locks.${index}`, 'validation.invalid');
  }
  errors.settle();
  return { ...content, locks: content.locks.toSorted() };
}

function checkPortRules(rules: readonly switches.PortRule[], errors: ValidationErrors): void {
  for (const [index, { vlan, tagged }] of rules.entries())
    if (tagged?.includes(vlan)) errors.add(`general.ports.${index}.tagged`, 'validation.duplicate');
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
