/** `captive`: shows a network's sign-in page, and opens no apps. */
export type PayBrowser = 'desktop' | 'phone' | 'wechat' | 'captive';

/** Other apps' web views look like mini-browsers: Android marks both with `wv`, Apple leaves out `Safari/`. */
export function payBrowserOf(agent: string): PayBrowser {
  if (/AlipayClient/.test(agent)) return 'phone';
  if (/MicroMessenger/.test(agent)) return /WindowsWechat|MacWechat/i.test(agent) ? 'desktop' : 'wechat';
  if (/CaptiveNetworkSupport|; wv\)|CaptivePortalLogin/.test(agent)) return 'captive';
  if (/(iPhone|iPad|iPod|Macintosh).*AppleWebKit/.test(agent) && !/Safari\//.test(agent)) return 'captive';
  return /iPhone|iPad|iPod|Android|OpenHarmony|HarmonyOS|Mobile/.test(agent) ? 'phone' : 'desktop';
}
