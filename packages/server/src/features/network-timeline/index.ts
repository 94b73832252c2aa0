export { networkTimelineRoutes } from './routes.ts';
