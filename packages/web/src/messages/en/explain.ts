import type { explain as zh } from '../zh-cn/explain.ts';

export const explain: Record<keyof typeof zh, string> = {
  'explain.strip.what':
    'Online networks and devices, clients and guests now, traffic of the uplinks in 24 hours, income since midnight, and open alarms. The change compares with 24 hours before: networks, devices, guests and alarms with the number then; clients of the last whole hour with the same hour of the day before; internet traffic with the 24 hours before; income with yesterday’s until this time. Guests are compared by portal sessions, clients by wireless clients. Curves show the last 24 hours, that of income 14 days. Latency and loss are 15-minute means of each gateway’s worst WAN.',
  'explain.strip.source':
    'Connections and the record of outages, reports, sessions of the guest portal, the account’s ledger and alarms. Figures that you may not read are left out.',
  'explain.tiles.what':
    'Each network with its worst problem and since when, else its status; clients now; latency and loss of the worst WAN, as a mean of 15 minutes; and wireless clients of each of the last 24 whole hours. Networks with problems come first, in the order of the problems. Above 60 networks, only those with problems have a tile, and all are grouped by tag; a network counts with each of its tags.',
  'explain.tiles.source': 'Alarms, connections and reports of devices.',
  'explain.problems.what':
    'Networks with open alarms that no other alarm caused, and networks or devices that are offline before an alarm covers them; without silenced alarms and maintenance windows. The worst level comes first, then the most clients, then the longest. Clients are those in the last reports of the devices.',
  'explain.problems.source': 'Alarms, evaluated every minute, and connections of devices.',
  'explain.night.what':
    'Lost connections and alarms of a minute or more between 22:00 and 08:00 in the time zone of the account, by network and cause. Devices that left with their gateway have its cause. The duration is the part within the period. Restarts, upgrades and pushes of the console and maintenance windows are listed apart; downtime of the console is left out. Clients are those in the last report before; where no report said, they are unknown.',
  'explain.night.source': 'The record of outages, kept for 400 days, and alarms.',
  'explain.ranking.what':
    'The ten networks with the most trouble: by open alarms, the worst level first; then by time offline in 7 days without planned outages; then by name. Availability counts planned outages. Clients and traffic are those of the last 24 whole hours: means of wireless clients, and bytes of the WAN, or of the radios where no WAN is measured.',
  'explain.ranking.source': 'Alarms, the record of outages, and reports.',
  'explain.attention.what':
    'Devices with a refused or a drifted configuration, devices without a network, and failed jobs of seven days.',
  'explain.attention.source':
    'Configuration results, connections and jobs. At most 20 of each kind are listed; all are counted.',
  'explain.routers.what':
    'Networks of the account. One is online while its gateway is; without a gateway, while any device is. A device that runs but cannot reach the console is offline here.',
  'explain.routers.source':
    'Connections of devices: at once when one opens or closes, after at most 150 s when it falls silent.',
  'explain.aps.what':
    'Access points in networks, and those online. One that is also the gateway of its network counts; an unbound one does not.',
  'explain.aps.source':
    'Connections of devices: at once when one opens or closes, after at most 150 s when it falls silent.',
  'explain.bands.what':
    'Clients associated now with access points that are online, by band. A client on two bands at once counts in both.',
  'explain.bands.source': 'State reports of access points, and messages of clients that join and leave.',
  'explain.income.what': 'Income since midnight minus refunds, in CNY; payments outside the console do not count.',
  'explain.income.source': 'The account’s ledger.',
  'explain.alarms.what': 'Open alarms by level: one for each cause, without silenced ones.',
  'explain.alarms.source': 'The alarm rules, evaluated every minute.',
  'explain.online.what':
    'Users in the latest report of a device that is connected, wireless or wired. “Today” are the different users seen since midnight. A MAC address is a user.',
  'explain.online.source':
    'State reports of devices, and messages of clients that join and leave. Users behind an offline device are not known.',
  'explain.auth.what':
    'Users online now whom a captive portal has let through. “Today” are the different users authenticated since midnight. A user whom both a device and the guest portal name counts once.',
  'explain.auth.source':
    'State reports of devices, and sessions of the console’s own guest portal; sign-ins elsewhere are unknown.',
  'explain.intercept.what': 'DNS queries that cloud security refused today.',
  'explain.intercept.source':
    'Gateways count by hour, and the console reads them every minute. Without a protected network there is no number, and it is not shown as 0.',
  'explain.flow.what':
    'Bytes through the uplinks, both ways, today and the 6 days before. A network with a gateway counts the gateway’s only, one without its access points’; switches never count. The categories add up to what their sources measured, which may differ from the total.',
  'explain.flow.source':
    'Differences of absolute counters of the uplink ports: a lost, repeated or late report changes no sum. Categories come only from devices that distinguish applications; nothing is estimated.',
  'explain.trend.what':
    'Different users of each day. New users were never seen in the account before, returning are the others; the two add up to the day’s users. A day without any report is a gap, not 0.',
  'explain.trend.source':
    'State reports of devices, and messages of clients that join and leave; today changes until midnight. Random MAC addresses inflate the number of new users.',
  'explain.wireless.what':
    'Wireless bytes: down is to clients, up from them. Today is since midnight; the 7 days include today, both ways together. Traffic through the uplinks is counted separately.',
  'explain.wireless.source': 'Differences of absolute counters of access points; a day without any report is a gap.',
  'explain.stage.what':
    'Bytes through the uplinks in the period, counted as the traffic of 7 days, by five parts of the day.',
  'explain.stage.source':
    'Differences of absolute counters of the uplink ports, by the clock of the account’s time zone.',
  'explain.app_stage.what': 'Bytes of each application category in the period, by slot of four hours.',
  'explain.app_stage.source':
    'Devices that distinguish applications; other networks are left out, nothing is estimated.',
  'explain.auth_type.what':
    'Authenticated users of the period, each once a day, by the method of the last session. Devices report only that their portal let a user through, not by which method.',
  'explain.auth_type.source':
    'Sessions of the guest portal, kept for 180 days unless set otherwise, and state reports of devices for users whom no session names.',
  'explain.client_type.what':
    'Different users of the period by platform; users of unknown platform are listed apart and count in no share.',
  'explain.client_type.source':
    'The device’s fingerprinting where that is on, else the portal’s User-Agent, else the host name. Better knowledge replaces the earlier, for past days too.',
  'explain.app_times.what':
    'How often each application category was used in the period, most first; percentages are of all uses.',
  'explain.app_times.source': 'Devices that distinguish applications.',
  'explain.user_label.what':
    'Users seen in the period, by when each was first seen: within the last 30 days, or earlier. “Returning” in the trend is counted day by day and is another number.',
  'explain.user_label.source':
    'The record of when each user was first seen. One client with random addresses may be several users.',
  'explain.client_time_block.what':
    'Visits (a user, a network, a day) by the parts of the day in which the user was seen; a visit over noon is in two parts.',
  'explain.client_time_block.source': 'The times at which clients were there, by the clock of the account’s time zone.',
  'explain.user_time.what':
    'Visits by the time present that day; time between two visits of one day is not time present.',
  'explain.user_time.source': 'The times at which clients were there.',
  'explain.terminal_type.what':
    'Different users of the period by terminal type; users of unknown type are listed apart and count in no share.',
  'explain.terminal_type.source':
    'The device’s fingerprinting where that is on, else the portal’s User-Agent, else the host name.',
  'explain.terminal_brand.what':
    'The ten most frequent brands; percentages are of users whose brand is known, the others are named apart.',
  'explain.terminal_brand.source':
    'The device’s fingerprinting, the host name or the vendor of the MAC address; a random address has no maker.',
};
