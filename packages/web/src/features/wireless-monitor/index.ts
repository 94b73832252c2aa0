export { NetworkPicker } from './network-picker.tsx';
