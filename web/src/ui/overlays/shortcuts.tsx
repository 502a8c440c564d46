import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { readChoice, rememberChoice } from '../../design/theme/remember.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { SwitchField } from '../controls/tick-field.tsx';
import { Keys } from '../display/keys.tsx';
import { Dialog } from './dialog.tsx';

type Shortcut = { keys: string; label: string; run: () => void };
type Shortcuts = {
  add: (shortcut: Shortcut) => () => void;
  /** Does what the keys do on the open page, or on the one that is just opening. */
  press: (keys: string) => void;
  isOn: boolean;
  setOn: (isOn: boolean) => void;
  showHelp: () => void;
};
const ShortcutsContext = createContext<Shortcuts | undefined>(undefined);

/** A page that is opening must register its keys within this time. */
const OPENING_MS = 5_000;
/** The second key of a pair must follow the first within this time. */
const PAIR_MS = 1_000;

/** Keyboard shortcuts such as `g m` or `n`. They can be switched off against accidental presses. */
export function ShortcutsProvider({ children }: { children: ReactNode }) {
  const registered = useRef(new Set<Shortcut>());
  const awaited = useRef({ keys: '', until: 0 });
  const [isOn, setOn] = useState(() => readChoice('shortcuts') !== 'off');
  const [isHelpOpen, setHelpOpen] = useState(false);
  useKeys(isOn, (keys) => {
    if (keys === '?') {
      setHelpOpen(true);
      return true;
    }
    const matching = [...registered.current].findLast((shortcut) => shortcut.keys === keys);
    matching?.run();
    return matching !== undefined;
  });
  const value = useMemo<Shortcuts>(
    () => ({
      add: (shortcut) => {
        registered.current.add(shortcut);
        const { keys, until } = awaited.current;
        if (shortcut.keys === keys && performance.now() < until) {
          awaited.current = { keys: '', until: 0 };
          shortcut.run();
        }
        return () => registered.current.delete(shortcut);
      },
      press: (keys) => {
        const known = [...registered.current].findLast((shortcut) => shortcut.keys === keys);
        if (known !== undefined) known.run();
        else awaited.current = { keys, until: performance.now() + OPENING_MS };
      },
      isOn,
      setOn: (choice) => {
        rememberChoice('shortcuts', choice ? 'on' : 'off');
        setOn(choice);
      },
      showHelp: () => setHelpOpen(true),
    }),
    [isOn],
  );
  return (
    <ShortcutsContext value={value}>
      {children}
      {isHelpOpen && (
        <HelpDialog shortcuts={[...registered.current]} onClose={() => setHelpOpen(false)} />
      )}
    </ShortcutsContext>
  );
}

/**
 * Handles keys pressed outside fields and dialogs, alone or in pairs. `run` returns whether the
 * keys were a shortcut.
 */
function useKeys(isOn: boolean, run: (keys: string) => boolean): void {
  const onKeys = useEffectEvent(run);
  useEffect(() => {
    if (!isOn) return;
    let first = { key: '', at: 0 };
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isForAnother(event)) return;
      const isPair = first.key === 'g' && event.timeStamp - first.at < PAIR_MS;
      const key = physicalKey(event);
      const keys = isPair ? `g ${key}` : key;
      // The second key of a pair does not begin another one.
      first = isPair ? { key: '', at: 0 } : { key, at: event.timeStamp };
      // A key that moves the focus into a field must not also be typed there.
      if (onKeys(keys)) event.preventDefault();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [isOn]);
}

/**
 * Letters and digits by physical key: a Russian layout has other letters there, and a Kazakh one
 * has letters in place of the digits.
 */
function physicalKey({ code, key, shiftKey }: KeyboardEvent): string {
  if (shiftKey) return key;
  return /^(?:Key|Digit|Numpad)([A-Z\d])$/.exec(code)?.[1]?.toLowerCase() ?? key;
}

/** Whether the key is for a field, a dialog, or the control that Enter presses. */
function isForAnother({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const isTyping = target.matches(
    'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]',
  );
  const isPressing = key === 'Enter' && target.closest('a, button, summary, input') !== null;
  return isTyping || isPressing || target.closest('dialog, [popover]') !== null;
}

export function useShortcuts(): Shortcuts {
  const shortcuts = useContext(ShortcutsContext);
  if (shortcuts === undefined) throw new Error('shortcuts are asked for outside of their provider');
  return shortcuts;
}

/** Registers a shortcut while the component is mounted; the label is shown in the help. */
export function useShortcut(keys: string, label: string, run: () => void): void {
  const { add } = useShortcuts();
  const onPress = useEffectEvent(run);
  useEffect(() => add({ keys, label, run: () => onPress() }), [add, keys, label]);
}

function HelpDialog({ shortcuts, onClose }: { shortcuts: Shortcut[]; onClose: () => void }) {
  const texts = useTexts().ui;
  const { isOn, setOn } = useShortcuts();
  // Where two parts of a page have the same keys, the later one answers to them.
  const byKeys = new Map(shortcuts.map((shortcut) => [shortcut.keys, shortcut]));
  const rows = [
    ...byKeys.values(),
    { keys: '?', label: texts.shortcutsTitle },
    { keys: 'Esc', label: texts.close },
  ];
  return (
    <Dialog title={texts.shortcutsTitle} onClose={onClose}>
      <dl className="mb-4 grid grid-cols-[auto_1fr] gap-x-5 gap-y-2 text-table">
        {rows.map(({ keys, label }) => (
          <div key={keys} className="contents">
            <dt>
              <Keys keys={keys} />
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <SwitchField
        name="shortcuts"
        label={texts.shortcutsOn}
        hint={texts.shortcutsHint}
        checked={isOn}
        onChange={(event) => setOn(event.currentTarget.checked)}
      />
    </Dialog>
  );
}
