export { portPlaces } from './port-places.ts';
export { topologyRoutes } from './routes.ts';
export { boxTree } from './service.ts';
