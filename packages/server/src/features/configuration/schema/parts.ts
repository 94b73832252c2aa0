/** Firmware silently ignores unnamed keys, so refuse them. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export function closed(properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema {
  return { type: 'object', additionalProperties: false, properties, required };
}

export function listOf(items: JsonSchema, limits: { min?: number; max?: number } = {}): JsonSchema {
  return {
    type: 'array',
    items,
    ...(limits.min === undefined ? {} : { minItems: limits.min }),
    ...(limits.max === undefined ? {} : { maxItems: limits.max }),
  };
}

export function oneOf(...values: readonly (string | number)[]): JsonSchema {
  return { enum: values };
}

export function integer(minimum?: number, maximum?: number): JsonSchema {
  return {
    type: 'integer',
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  };
}

export function text(minLength = 1, maxLength = 128): JsonSchema {
  return { type: 'string', minLength, maxLength };
}

export function pattern(source: string): JsonSchema {
  return { type: 'string', pattern: source };
}

export const flag: JsonSchema = { type: 'boolean' };
export const ipv4 = pattern('^((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(?!$)|$)){4}$');
export const cidr4 = pattern('^\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}/(\\d|[12]\\d|3[0-2])$');
export const mac = pattern('^([0-9a-f]{2}:){5}[0-9a-f]{2}$');
export const portRange = pattern('^[1-9]\\d{0,4}(-[1-9]\\d{0,4})?$');
export const leaseTime = pattern('^\\d+[smhdw]$');

export const uuid = integer(1, 2_147_483_647);
