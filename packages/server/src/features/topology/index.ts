export { topologyRoutes } from './routes.ts';
export { boxTree } from './service.ts';
