export {
  type Bus,
  BusAway,
  BusClosed,
  BusTimeout,
  MessageTooLarge,
  maxMessageBytes,
  NoResponder,
  RemoteError,
} from './bus.ts';
export { createLocalBus } from './local.ts';
export { connectNats } from './nats.ts';
