import { port53Units } from '../port53/index.ts';
import { shellUnits } from '../remote/root-shell.ts';
import { networkUnits } from './network-files.ts';
import { resolverUnits } from './resolver-files.ts';

/**
 * systemd: own user and three capabilities, which tools inherit; a separate unit, started by a file, reboots. dnsmasq
 * and DHCP clients outlive the agent: upgrades keep routing.
 */
export const serviceFiles = {
  'yunxun-edge.service': `[Unit]
Description=Yunxun edge agent
Wants=network.target yunxun-edge-shell.socket
After=network.target nftables.service
StartLimitIntervalSec=0

[Service]
# ready once its configuration is in place, with or without a console; a program of the agent's says so
Type=notify
NotifyAccess=all
TimeoutStartSec=120
ExecStart=/usr/lib/yunxun-edge/launch run
Restart=always
RestartSec=2
RestartPreventExitStatus=78
KillMode=process
TimeoutStopSec=30
User=yunxun-edge
Group=yunxun-edge
AmbientCapabilities=CAP_NET_ADMIN CAP_NET_RAW CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_ADMIN CAP_NET_RAW CAP_NET_BIND_SERVICE
NoNewPrivileges=yes
StateDirectory=yunxun-edge
StateDirectoryMode=0750
# wireguard-go puts its sockets where wg looks for them
RuntimeDirectory=yunxun-edge wireguard
RuntimeDirectoryMode=0755
RuntimeDirectoryPreserve=yes
ConfigurationDirectory=yunxun-edge
ConfigurationDirectoryMode=0750
ReadWritePaths=/etc/yunxun-edge
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
DevicePolicy=closed
DeviceAllow=/dev/net/tun rw
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectProc=default
# the settings of the network below /proc/sys are what this program is for
ProtectKernelTunables=no
LockPersonality=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_NETLINK AF_PACKET AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RemoveIPC=yes
SystemCallArchitectures=native
# V8 calls pkey_alloc when it starts; a call that is not listed fails instead of ending the agent
SystemCallFilter=@system-service @pkey
SystemCallErrorNumber=EPERM
UMask=0027
MemoryHigh=200M
OOMScoreAdjust=-500

[Install]
WantedBy=multi-user.target
`,
  'yunxun-edge-reboot.path': `[Unit]
Description=Restart asked for by the Yunxun edge agent

[Path]
PathExists=/run/yunxun-edge/reboot

[Install]
WantedBy=multi-user.target
`,
  'yunxun-edge-reboot.service': `[Unit]
Description=Restart asked for by the Yunxun edge agent

[Service]
Type=oneshot
ExecStartPre=/bin/rm -f /run/yunxun-edge/reboot
ExecStart=/bin/systemctl reboot
`,
  /** Starts on a request, and after a reboot during a trial. */
  'yunxun-edge-upgrade.path': `[Unit]
Description=New version of the Yunxun edge agent's units and launcher

[Path]
PathExists=/run/yunxun-edge/upgrade
PathExists=/usr/lib/yunxun-edge/trial.json

[Install]
WantedBy=multi-user.target
`,
  /** Runs root's own copy of the agent, never one that the service user can write. */
  'yunxun-edge-upgrade.service': `[Unit]
Description=New version of the Yunxun edge agent's units and launcher

[Service]
Type=oneshot
ExecStartPre=/bin/rm -f /run/yunxun-edge/upgrade
ExecStart=/usr/bin/env \${YUNXUN_EDGE_NODE} --max-old-space-size=64 /usr/lib/yunxun-edge/yunxun-edge.mjs upgrade-units
`,
  ...resolverUnits,
  ...networkUnits,
  ...port53Units,
  ...shellUnits,
  'yunxun-edge.init': `#!/bin/sh /etc/rc.common
# Yunxun edge agent
START=95
STOP=10
USE_PROCD=1

start_service() {
	mkdir -p /etc/yunxun-edge/state /run/yunxun-edge
	chmod 700 /etc/yunxun-edge
	procd_open_instance
	procd_set_param command /usr/lib/yunxun-edge/launch run
	procd_set_param env YUNXUN_EDGE_STATE=/etc/yunxun-edge/state
	procd_set_param respawn 3600 5 0
	procd_set_param term_timeout 30
	procd_set_param stdout 1
	procd_set_param stderr 1
	procd_close_instance
}
`,
} as const;
