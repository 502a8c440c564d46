import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import type { Right } from '@zhiber/contract/cabinet/rights.ts';
import { LANG_TITLES, LANGS } from '@zhiber/contract/languages.ts';
import { THEMES, useTheme } from '../../design/theme/theme.ts';
import { queryOf, useAction } from '../../queries.ts';
import { useCompany, useSession } from '../../session.ts';
import { useFormat, useLang, useTexts } from '../../texts/use-texts.tsx';
import { useDebounced } from '../../ui/controls/debounced.ts';
import { useShortcuts } from '../../ui/overlays/shortcuts.tsx';
import { useSections } from '../navigation.tsx';
import { useSignOut } from '../person-menu.tsx';
import { isMessageId, isRequestId, matchScore, readPhone } from './match.ts';

export type Group = 'found' | 'recent' | 'pages' | 'actions' | 'keys' | 'links';
export type Command = {
  id: string;
  group: Group;
  title: string;
  /** What else it is found by. */
  words?: string;
  hint?: string;
  /** The shortcut that does the same. */
  keys?: string;
  run: () => void;
};

const LINKS_SHOWN = 5;
const LINK_SEARCH_LENGTH_MIN = 2;

/** Everything that this person can open or do, narrowed to what was typed, the best first. */
export function useCommands(typed: string, recent: readonly string[]): Command[] {
  const pages = usePageCommands();
  const actions = useActionCommands();
  const keys = useKeyCommands();
  const links = useLinkCommands(typed);
  const found = useFoundCommands(typed);
  if (typed.trim() === '') {
    const all = [...pages, ...actions, ...keys];
    const used = recent.flatMap((id) => all.filter((command) => command.id === id));
    const others = [...pages, ...actions].filter((command) => !used.includes(command));
    return [...used.map((command) => ({ ...command, group: 'recent' as const })), ...others];
  }
  const matching = [...pages, ...actions, ...keys]
    .map((command) => ({ command, score: scoreOf(typed, command, recent) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ command }) => command);
  return [...found, ...matching, ...links];
}

const TITLE_WEIGHT = 2;
const RECENT_BONUS = 1;

function scoreOf(typed: string, { id, title, words = '' }: Command, recent: readonly string[]) {
  const score = Math.max(matchScore(typed, title) * TITLE_WEIGHT, matchScore(typed, words));
  return score > 0 && recent.includes(id) ? score + RECENT_BONUS : score;
}

function usePageCommands(): Command[] {
  const { sections, helpStatus } = useTexts().layout;
  const { viewed_until: viewedUntil } = useSession();
  const { lang } = useLang();
  const navigate = useNavigate();
  const open = useSections()
    .flat()
    .map(({ name, to, keys }): Command => {
      return {
        id: `page-${name}`,
        group: 'pages',
        title: sections[name],
        words: name,
        keys,
        run: () => void navigate({ to }),
      };
    });
  const profile: Command = {
    id: 'page-profile',
    group: 'pages',
    title: sections.profile,
    words: 'profile',
    run: () => void navigate({ to: '/app/profile' }),
  };
  const status: Command = {
    id: 'page-status',
    group: 'pages',
    title: helpStatus,
    words: 'status',
    run: () => location.assign(`/status?lang=${lang}`),
  };
  return [...open, ...(viewedUntil === null ? [profile] : []), status];
}

function useActionCommands(): Command[] {
  const { layout, frame } = useTexts();
  const { rights } = useCompany();
  const { viewed_until: viewedUntil } = useSession();
  const navigate = useNavigate();
  const createOn = useCreateOn();
  const choices = useChoiceCommands();
  const signOut = useSignOut();
  const allowed = (right: Right, command: Omit<Command, 'group'>): Command[] =>
    rights.includes(right) ? [{ ...command, group: 'actions' }] : [];
  const { createKey, sendTest, topUp, invite } = frame.palette;
  return [
    ...allowed('keys.change', {
      id: 'create-key',
      title: createKey,
      words: 'new key',
      run: () => createOn('/app/keys'),
    }),
    ...allowed('playground.use', {
      id: 'send-test',
      title: sendTest,
      words: 'test send',
      run: () => void navigate({ to: '/app/playground' }),
    }),
    ...allowed('balance.topup', {
      id: 'top-up',
      title: topUp,
      words: 'top up pay',
      run: () => void navigate({ to: '/app/balance/topup' }),
    }),
    ...allowed('team.change', {
      id: 'invite',
      title: invite,
      words: 'invite',
      run: () => createOn('/app/team'),
    }),
    ...choices,
    ...(viewedUntil === null
      ? [
          {
            id: 'sign-out',
            group: 'actions' as const,
            title: layout.signOut,
            words: 'sign out exit',
            run: signOut,
          },
        ]
      : []),
  ];
}

/** Opens a page and presses its `n`, which creates what the page lists. */
function useCreateOn() {
  const router = useRouter();
  const { press } = useShortcuts();
  return (to: '/app/keys' | '/app/team') => {
    if (router.state.location.pathname === to) return press('n');
    const unsubscribe = router.subscribe('onRendered', ({ toLocation }) => {
      unsubscribe();
      if (toLocation.pathname === to) press('n');
    });
    void router.navigate({ to });
  };
}

function useChoiceCommands(): Command[] {
  const {
    layout: { themes },
    frame: { palette },
  } = useTexts();
  const [theme, setTheme] = useTheme();
  const { lang, setLang } = useLang();
  const { viewed_until: viewedUntil } = useSession();
  const { mutate: changeProfile } = useAction('changeProfile', { invalidates: ['session'] });
  const themeCommands = THEMES.filter((name) => name !== theme).map(
    (name): Command => ({
      id: `theme-${name}`,
      group: 'actions',
      title: palette.themeTo(themes[name]),
      words: `theme ${name}`,
      run: () => setTheme(name),
    }),
  );
  const langCommands = LANGS.filter((name) => name !== lang).map(
    (name): Command => ({
      id: `lang-${name}`,
      group: 'actions',
      title: palette.langTo(LANG_TITLES[name]),
      words: `language ${name}`,
      run: () => {
        void setLang(name);
        if (viewedUntil === null) changeProfile({ body: { language: name } });
      },
    }),
  );
  return [...themeCommands, ...langCommands];
}

function useKeyCommands(): Command[] {
  const { rights } = useCompany();
  const navigate = useNavigate();
  const { data } = useQuery({ ...queryOf('keys'), enabled: rights.includes('keys.see') });
  const keys = data?.keys.filter(({ state }) => state !== 'revoked') ?? [];
  return keys.map(({ id, name, shown }) => ({
    id: `key-${id}`,
    group: 'keys',
    title: name,
    words: shown,
    hint: shown,
    run: () => void navigate({ to: '/app/keys/$id', params: { id: String(id) } }),
  }));
}

function useLinkCommands(typed: string): Command[] {
  const { rights } = useCompany();
  const navigate = useNavigate();
  const search = useDebounced(typed.trim());
  const isAsked =
    search.length >= LINK_SEARCH_LENGTH_MIN &&
    readPhone(search) === undefined &&
    rights.includes('links.see');
  const { data, isPlaceholderData } = useQuery({
    ...queryOf('links', { query: { search } }),
    enabled: isAsked,
  });
  if (!isAsked || isPlaceholderData) return [];
  const rows = data?.rows.slice(0, LINKS_SHOWN) ?? [];
  return rows.map(({ slug, short_url: address, url }) => ({
    id: `link-${slug}`,
    group: 'links',
    title: address.replace(/^https?:\/\//, ''),
    hint: url,
    run: () => void navigate({ to: '/app/links/$slug', params: { slug } }),
  }));
}

/** What was typed or pasted is a phone or an id. */
function useFoundCommands(typed: string): Command[] {
  const texts = useTexts().frame.palette;
  const format = useFormat();
  const { rights } = useCompany();
  const navigate = useNavigate();
  const text = typed.trim();
  const phone = readPhone(text);
  const canSee = rights.includes('messages.see');
  if (phone !== undefined && canSee) {
    return [
      {
        id: 'phone',
        group: 'found',
        title: texts.messagesOf(phone.startsWith('+') ? format.phone(phone) : text),
        run: () => void navigate({ to: '/app/messages', search: { search: text } }),
      },
    ];
  }
  if (isMessageId(text) && canSee) {
    return [
      {
        id: 'message',
        group: 'found',
        title: texts.message,
        hint: text,
        run: () => void navigate({ to: '/app/messages/$id', params: { id: text } }),
      },
    ];
  }
  if (isRequestId(text) && rights.includes('requests.see')) {
    return [
      {
        id: 'request',
        group: 'found',
        title: texts.request,
        hint: text,
        run: () => void navigate({ to: '/app/requests', search: { request: text } }),
      },
    ];
  }
  return [];
}
