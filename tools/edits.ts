import { type AnyEndpoint, api } from '@yunxun/contract';

interface Shape {
  properties?: Record<string, Shape>;
  required?: readonly string[];
  anyOf?: readonly Shape[];
}

interface Field {
  name: string;
  required: boolean;
}

/** Last words of paths that make a thing or act on it: they write back nothing that was read. */
export const makingOrActing: ReadonlySet<string> = new Set([
  'apply',
  'batch_rename',
  'block',
  'create',
  'decide',
  'export',
  'generate',
  'grant',
  'import',
  'invite',
  'issue',
  'install',
  'open',
  'part',
  'path_test',
  'place',
  'refund',
  'request',
  'restore',
  'run',
  'sell',
  'start',
  'unblock',
  'upload',
]);

const versions: ReadonlySet<string> = new Set(['version', 'revision']);

/** Returns the fields of an input, those of an object that is always sent by themselves. */
function fieldsOf({ properties = {}, required = [] }: Shape, prefix = ''): Field[] {
  return Object.entries(properties).flatMap(([key, inner]): Field[] => {
    const isRequired = required.includes(key);
    const nested = [inner, ...(inner.anyOf ?? [])].find((one) => one.properties);
    if (nested && isRequired) return fieldsOf(nested, `${prefix}${key}.`);
    return [{ name: prefix + key, required: isRequired }];
  });
}

const verbOf = ({ path }: AnyEndpoint) => path.slice(path.lastIndexOf('/') + 1);

export interface Edit {
  endpoint: AnyEndpoint;
  verb: string;
  guard: 'version' | 'fields' | 'none';
}

/** Returns the calls that write several fields of a thing that is kept, and what keeps two forms of one state apart. */
export function edits(effect: AnyEndpoint['effect']): Edit[] {
  const endpoints: AnyEndpoint[] = Object.values(api).flatMap((group) =>
    Object.values(group).filter((member) => typeof member === 'object' && 'path' in member),
  ) as never;
  return endpoints.flatMap((endpoint): Edit[] => {
    const verb = verbOf(endpoint);
    const { object, key = [] } = endpoint;
    const fields = fieldsOf(endpoint.body as Shape);
    const declared = fields.filter(({ name }) => name in object || key.includes(name));
    if (endpoint.effect !== effect) return [];
    const makes = 'id' in ((endpoint.data as Shape).properties ?? {});
    if (declared.length === 0 && (makes || (verb !== 'save' && verb !== 'update'))) return [];
    const names = declared.filter(({ name, required }) => required || name === 'id').map(({ name }) => name);
    const version = fields.find(({ name }) => versions.has(name));
    const own = fields.filter((field) => field !== version && !names.includes(field.name));
    if (own.length < 2) return [];
    const isNew = declared.some(({ name, required }) => name === 'id' && !required);
    if (version && (version.required || isNew)) return [{ endpoint, verb, guard: 'version' }];
    return [{ endpoint, verb, guard: own.some(({ required }) => required) ? 'none' : 'fields' }];
  });
}
