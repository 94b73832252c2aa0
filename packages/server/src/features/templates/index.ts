import type { ChangeDeps } from './changes.ts';
import { templateRoutes } from './routes.ts';
import { createTemplateService } from './service.ts';

export function createTemplates(deps: ChangeDeps) {
  const templates = createTemplateService(deps);
  return { ...templates, routes: () => templateRoutes(templates) };
}
