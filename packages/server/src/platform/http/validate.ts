import type { TSchema } from 'typebox';
import { Failure, Invalid } from '../failure.ts';
import { compileSchema } from './schema-check.ts';

/**
 * `unknown` applies to single values.
 * @returns a check that drops unknown fields, so that handlers can write all; throws Invalid with `maxErrors` at most, Failure tooLarge
 */
export function compileInput(schema: TSchema, unknown: 'refused' | 'ignored' = 'refused'): (input: unknown) => unknown {
  const check = compileSchema(schema, unknown);
  const names = Object.keys((schema as { properties?: object }).properties ?? {});
  return (input) => {
    const { errors, hasLargeFile } = check(input);
    if (hasLargeFile) throw new Failure('tooLarge');
    if (errors) throw new Invalid(errors);
    const given = input as Record<string, unknown>;
    return Object.fromEntries(names.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]]));
  };
}
