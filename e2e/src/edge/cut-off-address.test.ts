import { cutOff } from './cut-off.ts';

cutOff('address');
