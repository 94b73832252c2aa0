import { configuration } from '@yunxun/contract';
import { asFlag, asRecord, asTexts, type Capabilities } from '@yunxun/contract/device';
import { blockStart, hasChannel } from './channels.ts';
import type { DocumentRadio } from './document.ts';
import type { Findings } from './findings.ts';
import type { CompileInput } from './intent.ts';
import { powerOf } from './power.ts';
import { type HtMode, type RadioFacts, radiosOf } from './radio-facts.ts';
import { type EffectiveRadio, effectiveRadio } from './resolve.ts';

const rank = (mode: configuration.RadioMode) => configuration.radioModes.indexOf(mode);

export function compileRadios(input: CompileInput, findings: Findings): DocumentRadio[] {
  const { device, network, override } = input;
  const capabilities = device.capabilities;
  const facts = radiosOf(capabilities);
  for (const [index, { band }] of network.radios.entries()) {
    if (!facts.some((radio) => radio.band === band))
      findings.leftOut('no_radio', `radios.${network.radios[index]!.band}`, { band });
  }
  const country = countryOf(network.country, capabilities, facts.length > 0, findings);
  return facts.map((radio) => {
    const wanted = effectiveRadio(radio.band, network, override);
    if (!wanted.enabled.value) return switchedOff(radio);
    const channel = channelOf(wanted, radio, capabilities, findings);
    const mode = modeOf(wanted, radio, channel, findings);
    const aligned = alignedChannel(channel, mode.width, radio, findings);
    return {
      band: radio.name,
      channel: aligned,
      'channel-mode': mode.mode,
      'channel-width': mode.width,
      ...(country ? { country } : {}),
      enable: true,
      'tx-power': powerOf(wanted.power.value, device.reach?.[radio.band]),
    };
  });
}

/** Sets a valid mode: firmware would fill in HE at 80 MHz and refuse it on 2.4 GHz. */
function switchedOff(radio: RadioFacts): DocumentRadio {
  const { mode, width } = lowestMode(radio);
  return { band: radio.name, 'channel-mode': mode, 'channel-width': width, enable: false };
}

function countryOf(
  country: string | null,
  capabilities: Capabilities | null,
  wireless: boolean,
  findings: Findings,
): string | null {
  if (!country || !wireless) return null;
  const allowed = [asTexts(capabilities?.country_codes), asTexts(asRecord(capabilities?.restrictions).country)];
  if (allowed.every((codes) => codes.length === 0 || codes.includes(country))) return country;
  findings.leftOut('country_unsupported', 'country', { country });
  return null;
}

/** Runs before the width is known; unsupported channels become `auto`. */
function channelOf(
  { band, channel: { value: channel } }: EffectiveRadio,
  radio: RadioFacts,
  capabilities: Capabilities | null,
  findings: Findings,
): number | 'auto' {
  if (channel === 'auto') return channel;
  const elsewhere = (radio.name === '5G-lower' && channel > 68) || (radio.name === '5G-upper' && channel < 96);
  if (elsewhere) return 'auto';
  if (!hasChannel(radio, channel)) {
    findings.leftOut('channel_unsupported', `radios.${band}.channel`, { band, channel });
    return 'auto';
  }
  if (asFlag(asRecord(capabilities?.restrictions).dfs) && radio.dfs.has(channel)) {
    findings.leftOut('dfs_restricted', `radios.${band}.channel`, { band, channel });
    return 'auto';
  }
  return channel;
}

/** Prefers generation over width. */
function modeOf(
  { band, mode, width }: EffectiveRadio,
  radio: RadioFacts,
  channel: number | 'auto',
  findings: Findings,
): HtMode {
  const fits = (candidate: HtMode['width']) =>
    band !== '5G' || channel === 'auto' || blockStart(channel, candidate, radio.channels) !== null;
  const possible = (radio.modes ?? everyMode(radio)).filter(
    (candidate) => rank(candidate.mode) <= rank(mode.value) && candidate.width <= width.value && fits(candidate.width),
  );
  const best = possible.reduce<HtMode | null>(
    (chosen, candidate) => (chosen && !better(candidate, chosen) ? chosen : candidate),
    null,
  );
  if (!best) {
    findings.adjusted('width_unknown', `radios.${band}.width`, { band, mode: mode.value, width: width.value });
    // the firmware's default may not fit the band
    return lowestMode(radio);
  }
  if (best.mode !== mode.value && mode.source !== 'default')
    findings.adjusted('mode_lowered', `radios.${band}.mode`, { band, wanted: mode.value, mode: best.mode });
  if (best.width !== width.value && width.source !== 'default')
    findings.adjusted('width_lowered', `radios.${band}.width`, { band, wanted: width.value, width: best.width });
  return best;
}

function lowestMode(radio: RadioFacts): HtMode {
  const known = radio.modes?.length ? radio.modes : everyMode(radio);
  return known.reduce((lowest, candidate) => (better(lowest, candidate) ? candidate : lowest));
}

function better(a: HtMode, b: HtMode): boolean {
  return rank(a.mode) > rank(b.mode) || (a.mode === b.mode && a.width > b.width);
}

/** Serves devices that report no modes. */
function everyMode({ band }: RadioFacts): HtMode[] {
  const most = { HT: 40, VHT: 160, HE: 160, EHT: 320 } as const;
  return configuration.radioModes.flatMap((mode) =>
    configuration.radioWidths
      .filter((width) => width <= most[mode] && (band !== '2G' || width <= 40) && (band !== '5G' || width <= 160))
      .filter(() => band !== '6G' || rank(mode) >= rank('HE'))
      .map((width) => ({ mode, width })),
  );
}

function alignedChannel(
  channel: number | 'auto',
  width: HtMode['width'],
  radio: RadioFacts,
  findings: Findings,
): number | 'auto' {
  if (channel === 'auto' || radio.band !== '5G') return channel;
  const start = blockStart(channel, width, radio.channels) ?? channel;
  if (start !== channel)
    findings.adjusted('channel_aligned', `radios.5G.channel`, { wanted: channel, channel: start, width });
  return start;
}
