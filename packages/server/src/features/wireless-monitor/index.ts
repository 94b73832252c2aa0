export { wirelessMonitorRoutes } from './routes.ts';
export { scoredMeasures, scoreOfBucket } from './score.ts';
