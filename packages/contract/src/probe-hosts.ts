/** An open one keeps the sign-in page from appearing. */
export const probeHosts = [
  'captive.apple.com',
  'www.airport.us',
  'www.appleiphonecell.com',
  'www.ibook.info',
  'www.itools.info',
  'www.thinkdifferent.us',
  'connectivitycheck.gstatic.com',
  'connectivitycheck.android.com',
  'clients3.google.com',
  'play.googleapis.com',
  'www.msftconnecttest.com',
  'ipv6.msftconnecttest.com',
  'www.msftncsi.com',
  'detectportal.firefox.com',
  'connectivity-check.ubuntu.com',
  'nmcheck.gnome.org',
  'connect.rom.miui.com',
  'connectivitycheck.platform.hicloud.com',
  'wifi.vivo.com.cn',
  'conn1.coloros.com',
  'conn2.coloros.com',
] as const;

export function probeUnder(host: string): string | null {
  return probeHosts.find((probe) => host !== '' && (probe === host || probe.endsWith(`.${host}`))) ?? null;
}
