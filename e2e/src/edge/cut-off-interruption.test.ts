import { cutOff } from './cut-off.ts';

cutOff('interruption');
