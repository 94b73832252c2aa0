import { type AnyEndpoint, areaOf, codes, takesTokens } from '@yunxun/contract';
import type { TSchema } from 'typebox';

export function openapi(endpoints: readonly AnyEndpoint[], version: string, serverUrl: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Yunxun',
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description:
        'Every answer is `{code, message, data}`; code 2000 is success. The language travels in the header `localization` (zh-CN or en), the account acted in in the header `account`. Per call: `x-permission` is the permission it asks, `x-effect` what it does, `x-personal` that it works in the person’s own account whatever account is named, `x-confirm` that the person has to have signed in or confirmed in the last ten minutes (else 4015), `x-api-token` the area and scope that an API token needs, null where none is taken (4015).',
    },
    servers: [{ url: serverUrl }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Code: { type: 'integer', enum: Object.values(codes), description: describeCodes() } },
    },
  };
}

function operation(endpoint: AnyEndpoint): object {
  const envelope: TSchema = {
    type: 'object',
    required: ['code', 'message', 'data'],
    properties: {
      code: { $ref: '#/components/schemas/Code' },
      message: { type: 'string' },
      data: plain(endpoint.data),
      ...(endpoint.token ? { token: { type: 'string' } } : {}),
    },
  };
  return {
    operationId: endpoint.path.replace(/^\/api\/v3\//, '').replace(/[/:]+/g, '_'),
    summary: endpoint.summary,
    tags: [endpoint.path.split('/')[3]],
    security: endpoint.access === 'user' ? [{ token: [] }] : [],
    ...(endpoint.permission ? { 'x-permission': endpoint.permission } : {}),
    'x-effect': endpoint.effect,
    ...(endpoint.access === 'user' ? accessOf(endpoint) : {}),
    ...(endpoint.method === 'GET'
      ? { parameters: pathParameters(endpoint) }
      : { requestBody: jsonBody(endpoint.body) }),
    responses: {
      200: { description: 'The answer, a business error included', ...jsonBody(envelope) },
      ...(endpoint.access === 'user' ? { 401: { description: 'No valid token' } } : {}),
      422: { description: 'Refused input: `errors` holds the messages per field' },
      429: { description: 'Too many requests: `retry-after` holds the seconds' },
      500: { description: 'Something went wrong here: `data.request_id` finds it in the log' },
      503: { description: 'Not available now: `retry-after` holds the seconds' },
    },
  };
}

function accessOf(endpoint: AnyEndpoint): object {
  const open = takesTokens(endpoint);
  return {
    'x-personal': endpoint.personal ?? false,
    'x-confirm': endpoint.confirm ?? false,
    /** Accepts API tokens (else 4015); area; read-only suffices. */
    'x-api-token': open
      ? { area: areaOf(endpoint.permission), scope: endpoint.effect === 'read' ? 'read' : 'write' }
      : null,
  };
}

function jsonBody(schema: TSchema): object {
  return { content: { 'application/json': { schema: plain(schema) } } };
}

function plain(schema: TSchema): object {
  return JSON.parse(JSON.stringify(schema)) as object;
}

function pathParameters(endpoint: AnyEndpoint): object[] {
  const { properties = {} } = plain(endpoint.body) as { properties?: Record<string, object> };
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'path', required: true, schema }));
}

function describeCodes(): string {
  return Object.entries(codes)
    .map(([name, code]) => `${code} ${name}`)
    .join(', ');
}
