export interface RootRequest {
  /** Script in /usr/lib/yunxun-edge, and part of the units' names. */
  name: string;
  /** In /run/yunxun-edge; the agent writes it. */
  file: string;
  description: string;
  timeoutSeconds: number;
}

/** Returns a path unit that watches the file, and the unit of root's script. The script checks what the file says. */
export function requestUnits({ name, file, description, timeoutSeconds }: RootRequest): Record<string, string> {
  return {
    [`yunxun-edge-${name}.path`]: `[Unit]
Description=${description}

[Path]
PathChanged=/run/yunxun-edge/${file}

[Install]
WantedBy=multi-user.target
`,
    [`yunxun-edge-${name}.service`]: `[Unit]
Description=${description}

[Service]
Type=oneshot
TimeoutStartSec=${timeoutSeconds}
ExecStart=/usr/lib/yunxun-edge/${name}
`,
  };
}
