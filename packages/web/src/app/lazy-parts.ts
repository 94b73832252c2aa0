import { lazy } from 'react';
import { loadTexts } from './i18n.ts';

const installTabs = () => import('../features/billing/install-tabs.ts');

export const AllInvoices = lazy(async () => ({ default: (await installTabs()).AllInvoices }));

export const AllTransfers = lazy(async () => ({ default: (await installTabs()).AllTransfers }));

export const AllWithdrawals = lazy(async () => ({ default: (await installTabs()).AllWithdrawals }));

export const AccountCoupons = lazy(async () => {
  const [module] = await Promise.all([installTabs(), loadTexts('goods')]);
  return { default: module.AccountCoupons };
});

export const PaymentProviders = lazy(async () => {
  const [module] = await Promise.all([installTabs(), loadTexts('billing')]);
  return { default: module.PaymentProviders };
});

export const Clearing = lazy(async () => {
  const [module] = await Promise.all([installTabs(), loadTexts('clearing')]);
  return { default: module.Clearing };
});

export const WaitingDecisions = lazy(async () => {
  const [module] = await Promise.all([import('../features/billing/waiting-decisions.tsx'), loadTexts('billing')]);
  return { default: module.WaitingDecisions };
});

export const PluginPublishers = lazy(async () => ({
  default: (await import('../features/plugins/publishers.tsx')).PluginPublishers,
}));

export const ImportDialog = lazy(async () => ({
  default: (await import('../features/imports/import-dialog.tsx')).ImportDialog,
}));

export const RemoteDialog = lazy(async () => {
  const [module] = await Promise.all([import('../features/remote/remote-dialog.tsx'), loadTexts('remote')]);
  return { default: module.RemoteDialog };
});

export const FindPowerDialog = lazy(async () => {
  const [module] = await Promise.all([
    import('../features/switches/power-dialog.tsx'),
    loadTexts('switches', 'wireless'),
  ]);
  return { default: module.FindPowerDialog };
});

export const PowerOffer = lazy(async () => {
  const [module] = await Promise.all([
    import('../features/switches/power-offer.tsx'),
    loadTexts('switches', 'wireless'),
  ]);
  return { default: module.PowerOffer };
});

export const PeripheralPower = lazy(async () => {
  const [module] = await Promise.all([
    import('../features/peripherals/peripheral-power.tsx'),
    loadTexts('peripherals', 'switches', 'wireless'),
  ]);
  return { default: module.PeripheralPower };
});

export const CredentialDialog = lazy(async () => {
  const [module] = await Promise.all([import('../features/remote/credential-dialog.tsx'), loadTexts('remote')]);
  return { default: module.CredentialDialog };
});

export const NetworkTimeline = lazy(async () =>
  (await import('../features/network-timeline/load-network-timeline.ts')).loadNetworkTimeline(),
);

export const NetworkFlow = lazy(async () =>
  (await import('../features/statistics/load-network-flow.ts')).loadNetworkFlow(),
);

export const Wireless = lazy(async () => ({
  default: (await import('../features/configuration/wireless.tsx')).Wireless,
}));

export type Reverted = ({ gwid: string } | { group_id: string }) & { to: number };

export const RevertPreview = lazy(async () => {
  const [module] = await Promise.all([import('../features/configuration/revert-preview.tsx'), loadTexts('wireless')]);
  return { default: module.RevertPreview };
});
