/** `captive`: the mini-browser in which a phone shows a network's sign-in page; it opens no apps and no new windows. */
export type PayBrowser = 'desktop' | 'phone' | 'wechat' | 'captive';

/**
 * Other apps' web views look like mini-browsers: Android marks both with `wv`, and Apple leaves `Safari/` out of both.
 * WeChat on a computer has no payment of its own.
 */
export function payBrowserOf(agent: string): PayBrowser {
  if (/AlipayClient/.test(agent)) return 'phone';
  if (/MicroMessenger/.test(agent)) return /WindowsWechat|MacWechat/i.test(agent) ? 'desktop' : 'wechat';
  if (/CaptiveNetworkSupport|; wv\)|CaptivePortalLogin/.test(agent)) return 'captive';
  if (/(iPhone|iPad|iPod|Macintosh).*AppleWebKit/.test(agent) && !/Safari\//.test(agent)) return 'captive';
  return /iPhone|iPad|iPod|Android|OpenHarmony|HarmonyOS|Mobile/.test(agent) ? 'phone' : 'desktop';
}
