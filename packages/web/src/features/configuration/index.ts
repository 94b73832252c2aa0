export { DeviceConfig } from './device-config.tsx';
export { type Draft, draftOf, intentOf, modeNames } from './draft.ts';
export { DropFacts, dropLines } from './drop-facts.tsx';
export { findingText } from './finding.ts';
export { loadGateway } from './gateway/load.ts';
export { PreviewDevice } from './preview-device.tsx';
export { Radios } from './radios.tsx';
export { SsidList } from './ssid-list.tsx';
