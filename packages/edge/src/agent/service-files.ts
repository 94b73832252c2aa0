/**
 * Files of the services that start the agent. Under systemd it is a user of its own with three capabilities, which its
 * tools inherit; the restart of the box is another unit's, that a file wakes. Its daemons (dnsmasq, DHCP clients) outlive
 * it: a gateway goes on routing while its agent is exchanged.
 */
export const serviceFiles = {
  /** /etc/systemd/system/yunxun-edge.service */
  'yunxun-edge.service': `[Unit]
Description=Yunxun edge agent
Wants=network.target
After=network.target nftables.service
StartLimitIntervalSec=0

[Service]
Type=simple
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
RuntimeDirectory=yunxun-edge
RuntimeDirectoryMode=0755
RuntimeDirectoryPreserve=yes
ConfigurationDirectory=yunxun-edge
ConfigurationDirectoryMode=0750
ReadWritePaths=/etc/yunxun-edge
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
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
SystemCallFilter=@system-service
UMask=0027
MemoryHigh=200M
OOMScoreAdjust=-500

[Install]
WantedBy=multi-user.target
`,
  /** /etc/systemd/system/yunxun-edge-reboot.path */
  'yunxun-edge-reboot.path': `[Unit]
Description=Restart asked for by the Yunxun edge agent

[Path]
PathExists=/run/yunxun-edge/reboot

[Install]
WantedBy=multi-user.target
`,
  /** /etc/systemd/system/yunxun-edge-reboot.service */
  'yunxun-edge-reboot.service': `[Unit]
Description=Restart asked for by the Yunxun edge agent

[Service]
Type=oneshot
ExecStartPre=/bin/rm -f /run/yunxun-edge/reboot
ExecStart=/bin/systemctl reboot
`,
  /** /etc/init.d/yunxun-edge on OpenWrt, where there are no users to speak of: it runs as root, kept down by its own rules. */
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
