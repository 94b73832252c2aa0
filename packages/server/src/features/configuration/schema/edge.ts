import { edgeDocument } from '@yunxun/contract/device';
import { type Form, formOf, markOf, type ObjectForm } from '@yunxun/contract/grammar';
import {
  cidr4,
  closed,
  flag,
  integer,
  ipv4,
  type JsonSchema,
  leaseTime,
  listOf,
  mac,
  oneOf,
  pattern,
  portRange,
  text,
} from './parts.ts';

export const edgeSchema: JsonSchema = schemaOf(edgeDocument);

function schemaOf(form: Form): JsonSchema {
  switch (form.form) {
    case 'object':
      return objectSchema(form);
    case 'list':
      return listOf(schemaOf(form.of), { min: form.min, max: form.max });
    case 'integer':
      return integer(form.min, form.max);
    case 'word':
    case 'known':
      return oneOf(...form.words);
    case 'text':
      return text(1, form.max);
    case 'pattern':
      return pattern(form.pattern.source);
    case 'unread':
      return schemaOf(form.of);
    case 'flag':
      return flag;
    case 'address':
      return ipv4;
    case 'subnet':
      return cidr4;
    case 'mac':
      return mac;
    case 'leaseTime':
      return leaseTime;
    case 'portRange':
      return portRange;
  }
}

function objectSchema({ keys }: ObjectForm): JsonSchema {
  const sent = Object.entries(keys).filter(([, key]) => markOf(key) !== 'unsent');
  const always = sent.filter(([, key]) => markOf(key) !== null).map(([name]) => name);
  return closed(Object.fromEntries(sent.map(([name, key]) => [name, schemaOf(formOf(key))])), always);
}
