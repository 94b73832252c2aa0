import { Ajv, type ValidateFunction } from 'ajv';
import { accessPointSchema, gatewaySchema } from './access-point.ts';
import { edgeSchema } from './edge.ts';
import type { JsonSchema } from './parts.ts';
import { switchSchema } from './switch.ts';

export type DocumentPlatform = 'ap' | 'olg' | 'edge' | 'switch';

const ajv = new Ajv({ allErrors: false, strict: true, strictRequired: false, strictTypes: false });
ajv.addKeyword({
  keyword: 'maxBytes',
  type: 'string',
  schemaType: 'number',
  error: { message: ({ schema }) => `must NOT have more than ${String(schema)} bytes` },
  validate: (max: number, value: string) => Buffer.byteLength(value) <= max,
});
const schemas: Readonly<Record<DocumentPlatform, JsonSchema>> = {
  ap: accessPointSchema,
  olg: gatewaySchema,
  edge: edgeSchema,
  switch: switchSchema,
};
const checks: Readonly<Record<DocumentPlatform, ValidateFunction>> = {
  ap: ajv.compile(schemas.ap),
  olg: ajv.compile(schemas.olg),
  edge: ajv.compile(schemas.edge),
  switch: ajv.compile(schemas.switch),
};

export function schemaOf(platform: DocumentPlatform): JsonSchema {
  return schemas[platform];
}

/** Messages never contain values. */
export function findSchemaErrors(document: unknown, platform: DocumentPlatform): { path: string; message: string }[] {
  const check = checks[platform];
  if (check(document)) return [];
  return (check.errors ?? []).map(({ instancePath, message, params }) => {
    const extra = 'additionalProperty' in params ? ` "${String(params.additionalProperty)}"` : '';
    return { path: instancePath, message: `${message ?? 'not valid'}${extra}` };
  });
}
