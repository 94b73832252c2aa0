import type * as source from './plugins-zh-cn.ts';

export const plugins = {
  'validation.pluginKey': 'This is no Ed25519 public key (SPKI, base64)',
  'validation.pluginUnfit': '{name} cannot run this plugin',
  'validation.pluginSource': 'Choose a file, or enter an https address',
  'validation.pluginDownload': 'The catalogue cannot be fetched from this address: {why}',
  'validation.pluginCatalogue': 'The catalogue cannot be read: {what}',
  'validation.pluginUntrusted': 'The key of publisher {name} is not trusted',
  'validation.pluginForeign': '{name} belongs to another publisher',
  'validation.pluginChanged': 'The same version of {name} was imported with another content',
  'validation.plugin_size': '{name}: the package has another size than in the catalogue',
  'validation.plugin_hash': '{name}: the checksum of the package differs from the catalogue’s',
  'validation.plugin_signature': '{name}: the package is not signed by this publisher',
  'validation.plugin_archive': '{name}: the package is no valid tar.gz',
  'validation.plugin_path': '{name}: the package has a link or a path that leaves its folder',
  'validation.plugin_manifest': '{name}: name or version inside the package differ from the catalogue',
  'validation.plugin_absent': '{name}: the catalogue has no file of the package',
} as const satisfies Record<keyof typeof source.plugins, string>;
