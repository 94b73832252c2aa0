import { type AnyEndpoint, api, takesTokens, areaOf as tokenAreaOf } from '@yunxun/contract';
import type { FastifyInstance } from 'fastify';
import { openapi } from './openapi.ts';

/** Mounts `GET /api/openapi.json` and `/docs/api`, without scripts. Both are made on first use: they take 0.1 s. */
export function mountApiPage(app: FastifyInstance, version: string, publicUrl: string): void {
  const endpoints = allEndpoints();
  let document: object | undefined;
  let page: string | undefined;
  app.get('/api/openapi.json', async () => {
    document ??= openapi(endpoints, version, publicUrl);
    return document;
  });
  app.get('/docs/api', async (_request, reply) => {
    page ??= render(endpoints, version);
    return reply.type('text/html; charset=utf-8').send(page);
  });
  app.get('/docs/api.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(style));
}

function allEndpoints(): AnyEndpoint[] {
  return Object.values(api).flatMap((group) =>
    Object.values(group).filter((member) => 'path' in member),
  ) as AnyEndpoint[];
}

function render(endpoints: readonly AnyEndpoint[], version: string): string {
  const groups = new Map<string, AnyEndpoint[]>();
  for (const endpoint of endpoints) groups.set(areaOf(endpoint), [...(groups.get(areaOf(endpoint)) ?? []), endpoint]);
  const areas = [...groups.keys()].sort();
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Yunxun API ${text(version)}</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/docs/api.css"></head><body>
<nav><h1>Yunxun API</h1><a href="/api/openapi.json">openapi.json</a>${areas.map((area) => `<a href="#${text(area)}">${text(area)}</a>`).join('')}</nav>
<main><p>Every answer is <code>{code, message, data}</code>; code 2000 is success. Send the token as <code>Authorization: Bearer</code>,
the language as <code>localization: zh-CN</code> or <code>en</code>, and the account acted in as <code>account</code>.</p>
${areas.map((area) => `<section id="${text(area)}"><h2>${text(area)}</h2>${groups.get(area)!.map(entry).join('')}</section>`).join('')}
</main></body></html>`;
}

function areaOf(endpoint: AnyEndpoint): string {
  return endpoint.path.split('/')[3]!;
}

function entry(endpoint: AnyEndpoint): string {
  const notes = [
    endpoint.access === 'public' ? 'no sign-in' : (endpoint.permission ?? 'any signed-in person'),
    endpoint.effect,
    ...(endpoint.personal ? ['own account'] : []),
    ...(endpoint.confirm ? ['asks for a fresh confirmation'] : []),
    ...(endpoint.access === 'public' ? [] : [tokenNote(endpoint)]),
    ...(endpoint.limit ? [`${endpoint.limit.max} calls in ${endpoint.limit.windowSeconds} s`] : []),
  ];
  return `<details><summary><b>${endpoint.method}</b> <code>${text(endpoint.path)}</code> <span>${text(endpoint.summary)}</span></summary>
<p>${notes.map((note) => `<i>${text(note)}</i>`).join(' ')}</p>
<h3>Input</h3><pre>${text(json(endpoint.body))}</pre><h3>Data</h3><pre>${text(json(endpoint.data))}</pre></details>`;
}

function tokenNote(endpoint: AnyEndpoint): string {
  return takesTokens(endpoint) ? `token area ${tokenAreaOf(endpoint.permission)}` : 'no API token';
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function text(value: string): string {
  return value.replace(/[&<>"]/g, (character) => escapes[character]!);
}

const style = `
:root { color-scheme: light dark; font: 14px/1.6 system-ui, sans-serif; }
body { margin: 0; display: grid; grid-template-columns: 200px 1fr; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 16px; box-sizing: border-box; display: flex; flex-direction: column; gap: 4px; }
nav h1 { font-size: 16px; margin: 0 0 8px; }
main { padding: 16px 32px; max-width: 960px; }
details { border-bottom: 1px solid color-mix(in srgb, currentColor 15%, transparent); padding: 6px 0; }
summary { cursor: pointer; } summary b { display: inline-block; width: 44px; } summary span { opacity: .75; }
pre { overflow: auto; padding: 12px; border-radius: 6px; background: color-mix(in srgb, currentColor 6%, transparent); }
i { font-style: normal; border-radius: 4px; padding: 1px 6px; background: color-mix(in srgb, currentColor 10%, transparent); }
h2 { margin: 24px 0 4px; } h3 { font-size: 13px; margin: 8px 0; }
`;
