import { isRecord, type PluginSettings } from './device/index.ts';

/** JSON Schema (draft 2020-12) subset, drawn as a form. */
export interface SettingSchema {
  type: 'string' | 'integer' | 'boolean';
  title: { zh: string; en: string };
  description?: { zh: string; en: string };
  default: string | number | boolean;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

export interface SettingsSchema {
  type: 'object';
  properties: Readonly<Record<string, SettingSchema>>;
}

const known = ['type', 'title', 'description', 'default', 'enum', 'minimum', 'maximum', 'maxLength'];
const maxProperties = 30;
const maxText = 500;

/** Returns null for anything beyond `SettingsSchema`. */
export function readSettingsSchema(value: unknown): SettingsSchema | null {
  if (!isRecord(value) || value.type !== 'object' || !isRecord(value.properties)) return null;
  if (Object.keys(value).some((key) => key !== 'type' && key !== 'properties')) return null;
  const entries = Object.entries(value.properties);
  if (entries.length > maxProperties || !entries.every(([name, one]) => /^[a-z]\w{0,39}$/.test(name) && isSetting(one)))
    return null;
  return value as unknown as SettingsSchema;
}

function isSetting(value: unknown): boolean {
  if (!isRecord(value) || Object.keys(value).some((key) => !known.includes(key))) return false;
  const { type, title, description, enum: options } = value;
  if (!isBilingual(title) || (description !== undefined && !isBilingual(description))) return false;
  if (type !== 'string' && type !== 'integer' && type !== 'boolean') return false;
  if (options !== undefined && !(type === 'string' && isTextList(options))) return false;
  const bounds = [value.minimum, value.maximum, value.maxLength];
  if (bounds.some((bound) => bound !== undefined && !Number.isSafeInteger(bound))) return false;
  return problemOf(value as unknown as SettingSchema, value.default) === null;
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
}

export function isBilingual(value: unknown): value is { zh: string; en: string } {
  if (!isRecord(value)) return false;
  return [value.zh, value.en].every((text) => typeof text === 'string' && text !== '' && text.length <= 4000);
}

export type SettingProblem = 'required' | 'between' | 'invalid';

export function problemOf(schema: SettingSchema, value: unknown): SettingProblem | null {
  if (value === undefined) return 'required';
  if (schema.type === 'boolean') return typeof value === 'boolean' ? null : 'invalid';
  if (schema.type === 'integer') {
    if (!Number.isSafeInteger(value)) return 'invalid';
    const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema;
    return (value as number) < minimum || (value as number) > maximum ? 'between' : null;
  }
  if (typeof value !== 'string' || value.length > (schema.maxLength ?? maxText) || hasControls(value)) return 'invalid';
  return schema.enum && !schema.enum.includes(value) ? 'invalid' : null;
}

function hasControls(text: string): boolean {
  return [...text].some((letter) => letter < ' ');
}

/** Returns the problem of each wrong value; unknown names are invalid. */
export function settingsProblems(
  schema: SettingsSchema,
  settings: Readonly<Record<string, unknown>>,
): Record<string, SettingProblem> {
  const problems: Record<string, SettingProblem> = {};
  for (const name of Object.keys(settings)) if (!Object.hasOwn(schema.properties, name)) problems[name] = 'invalid';
  for (const [name, one] of Object.entries(schema.properties)) {
    const problem = problemOf(one, settings[name]);
    if (problem) problems[name] = problem;
  }
  return problems;
}

export function defaultSettings({ properties }: SettingsSchema): PluginSettings {
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, one.default]));
}
