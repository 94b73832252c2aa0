import { useNavigate, useRouterState } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { keysSaying, t } from '../../app/i18n.ts';
import { useUser } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/empty.tsx';
import { Icon } from '../../ui/icon.tsx';
import { JobTag, StatusTag } from '../../ui/status.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import { actOptions } from './act-options.ts';
import type { Hit } from './hits.ts';
import { markedParts } from './hits.ts';
import { actionGroup, type Group, hitGroups, type Option, readCommand, recentGroup, screenGroup } from './options.ts';
import { keepRecent, readRecent } from './recent.ts';
import { settingGroup } from './settings.ts';
import './search.css';

const restMs = 120;
const maxLength = 64;
/** Names of actions sent with one search. */
const maxActions = 200;
const networkPath =
  /^\/(?:network|network\/gateway|network\/aps|asset|auth|sms_pay_log|topology|flow_monitor|wireless_monitor|device\/index|networks\/online_users)\/([0-9a-f-]{36})(?:$|\/)/;

export function Palette({ onClose }: { onClose: () => void }) {
  const user = useUser();
  const navigate = useNavigate();
  const owner = `${user.id}.${user.account_id}`;
  const [word, setWord] = useState('');
  // the option's id: results that come later may move it
  const [chosen, setChosen] = useState<string | null>(null);
  // Enter was pressed before the results were there
  const [entered, setEntered] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const command = readCommand(word.trim());
  const sought = useDebounced(command.rest, restMs);
  const maySearch = user.permissions.includes('network.read');
  const { data, error, refetch, isFetching } = useRead(
    '/api/v3/search/query',
    { keyword: sought, ...actionsOf(sought) },
    { enabled: maySearch && sought !== '', keepPrevious: true },
  );
  const hits = command.rest === '' || error ? [] : (data?.list ?? []);
  const screens = screenGroup(user, word.trim());
  const gwid = useRouterState({ select: ({ location }) => networkPath.exec(location.pathname)?.[1] ?? null });
  const network = useRead('/api/v3/network/detail', { gwid: gwid ?? '' }, { enabled: maySearch && gwid !== null }).data;
  const here = network
    ? { kind: 'network' as const, id: network.gwid, title: network.remark, network: null, status: network.status }
    : null;
  const acts = word.trim() === '' ? [] : actOptions(user, word.trim(), here);
  const isWaiting = maySearch && command.rest !== '' && !error && (isFetching || sought !== command.rest);
  const isKnown = isWaiting || hits.length + screens.options.length + acts.length > 0;
  const settings = settingGroup(user, word.trim(), gwid, !isKnown);
  const own: Group[] = [screens, { title: t('search.acts'), options: acts }, settings];
  const groups = groupsOf(hits);
  const options = groups.flatMap((group) => group.options);
  const foundCount = hits.length + screens.options.length + settings.options.length + acts.length;
  const current = Math.max(
    0,
    options.findIndex((option) => option.id === chosen),
  );

  function groupsOf(found: readonly Hit[]): Group[] {
    const all =
      word.trim() === ''
        ? [recentGroup(readRecent(owner)), screens]
        : command.verb
          ? // a setting may begin with the same word
            [actionGroup(user, found, command), ...hitGroups(found), ...own]
          : bestFirst(found);
    return all.filter((group) => group.options.length > 0);
  }

  /** Screens, acts and settings precede objects with the word in the middle. */
  function bestFirst(found: readonly Hit[]): Group[] {
    const isSure = found[0] !== undefined && found[0].match !== 'part';
    const onFound = actionGroup(user, found, command);
    const known = new Set(acts.map((option) => option.id));
    const more = { ...onFound, options: onFound.options.filter((option) => !known.has(option.id)) };
    return isSure ? [...hitGroups(found), ...own, more] : [...own, ...hitGroups(found), more];
  }

  function choose(option: Option): void {
    const { target, keep, title } = option;
    onClose();
    if (typeof target === 'function') target();
    else {
      if (keep) keepRecent(owner, { kind: keep, title, ...target });
      void navigate({ to: target.to, search: (target.search ?? {}) as never });
    }
  }

  function press(event: KeyboardEvent): void {
    // the key chooses a word of an input method, not a result
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const last = options.length - 1;
    const next = {
      ArrowDown: current >= last ? 0 : current + 1,
      ArrowUp: current <= 0 ? last : current - 1,
    }[event.key];
    const option = options[current];
    if (next !== undefined && last >= 0) {
      event.preventDefault();
      setChosen(options[next]!.id);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (isWaiting) setEntered(true);
      else if (option) choose(option);
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the option is the one that is chosen when the results come
  useEffect(() => {
    if (!entered || isWaiting) return;
    setEntered(false);
    // screens and actions are no answer to what was asked
    if (error) return;
    const option = options[current];
    if (option) choose(option);
  }, [entered, isWaiting]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen line is found in the page
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [current, groups.length]);

  let index = -1;
  return (
    <Dialog title={t('search.title')} wide onClose={onClose}>
      <div className="palette">
        <input
          className="input"
          role="combobox"
          aria-label={t('search.title')}
          aria-expanded={options.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={options[current] ? `${id}-${current}` : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder={t('search.hint')}
          maxLength={maxLength}
          value={word}
          onChange={(event) => {
            setWord(event.target.value);
            setChosen(null);
            setEntered(false);
          }}
          onKeyDown={press}
        />
        <p className="palette-state dim small" role="status">
          {isWaiting
            ? t('search.searching')
            : error
              ? t('search.failed')
              : word.trim() === ''
                ? ''
                : t('search.found', { n: foundCount })}
        </p>
        {error && <Failed error={error} retry={() => void refetch()} small />}
        <div ref={list} id={`${id}-list`} className="palette-list" role="listbox" aria-label={t('search.results')}>
          {groups.map((group, at) => (
            // biome-ignore lint/a11y/useSemanticElements: options of a listbox are grouped by role
            <div key={group.title} role="group" aria-labelledby={`${id}-group-${at}`}>
              <div id={`${id}-group-${at}`} className="palette-group" role="presentation">
                {group.title}
              </div>
              {group.options.map((option) => {
                index += 1;
                const place = index;
                return (
                  <Line
                    key={option.id}
                    id={`${id}-${place}`}
                    option={option}
                    word={command.rest}
                    chosen={place === current}
                    point={() => setChosen(option.id)}
                    choose={() => choose(option)}
                  />
                );
              })}
            </div>
          ))}
        </div>
        {word.trim() !== '' && foundCount === 0 && !isWaiting && !error && (
          <p className="palette-none">
            {t('search.none', { word: command.rest })} <span className="dim">{t('search.none_body')}</span>
          </p>
        )}
      </div>
    </Dialog>
  );
}

/** Only the browser knows what actions are called. */
function actionsOf(word: string): { log_actions?: string[] } {
  const actions = word === '' ? [] : keysSaying('log_action.', word).slice(0, maxActions);
  return actions.length > 0 ? { log_actions: actions } : {};
}

function Line(props: {
  id: string;
  option: Option;
  word: string;
  chosen: boolean;
  point: () => void;
  choose: () => void;
}) {
  const { id, option, word, chosen, point, choose } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus
    // biome-ignore lint/a11y/useFocusableInteractive: the same
    <div
      id={id}
      role="option"
      aria-selected={chosen}
      className="palette-option"
      onPointerMove={chosen ? undefined : point}
      onPointerDown={(event) => event.preventDefault()}
      onClick={choose}
    >
      <Icon name={option.icon} size={16} />
      <span className="palette-title">
        <Marked text={option.title} word={word} />
      </span>
      {option.detail && (
        <span className="palette-detail dim small">
          <Marked text={option.detail} word={word} />
        </span>
      )}
      {option.status && <Status status={option.status} />}
    </div>
  );
}

const presences = ['online', 'offline', 'restarting', 'never_connected', 'unknown'] as const;

function Status({ status }: { status: NonNullable<Hit['status']> }) {
  const presence = presences.find((each) => each === status);
  if (presence) return <StatusTag status={presence} />;
  return <JobTag status={status as Exclude<typeof status, (typeof presences)[number]>} />;
}

function Marked({ text, word }: { text: string; word: string }) {
  return markedParts(text, word).map((part, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other key
    part.marked ? <mark key={at}>{part.text}</mark> : <span key={at}>{part.text}</span>,
  );
}
