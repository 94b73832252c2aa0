export { topologyRoutes } from './routes.ts';
export { boxTree, type DrawnTree } from './service.ts';
