import { type MethodForm, submit } from '../method-form.ts';

export const oneClickForm: MethodForm = { fields: submit };
