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
import { useTexts } from '../../texts/use-texts.tsx';
import { readChoice, rememberChoice } from '../../theme/remember.ts';
import { SwitchField } from '../controls/tick-field.tsx';
import { Dialog } from './dialog.tsx';

type Shortcut = { keys: string; label: string; run: () => void };
type Shortcuts = {
  add: (shortcut: Shortcut) => () => void;
  isOn: boolean;
  setOn: (isOn: boolean) => void;
  showHelp: () => void;
};
const ShortcutsContext = createContext<Shortcuts | undefined>(undefined);

/** After the first key of two, the second must come within this. */
const PAIR_MS = 1_000;

/** Keys such as `g m` or `n`. They can be switched off, for whoever presses them by chance. */
export function ShortcutsProvider({ children }: { children: ReactNode }) {
  const known = useRef(new Set<Shortcut>());
  const [isOn, setOn] = useState(() => readChoice('shortcuts') !== 'off');
  const [isHelpOpen, setHelpOpen] = useState(false);
  useKeys(isOn, (keys) => {
    if (keys === '?') {
      setHelpOpen(true);
      return true;
    }
    const pressed = [...known.current].findLast((shortcut) => shortcut.keys === keys);
    pressed?.run();
    return pressed !== undefined;
  });
  const value = useMemo<Shortcuts>(
    () => ({
      add: (shortcut) => {
        known.current.add(shortcut);
        return () => known.current.delete(shortcut);
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
        <HelpDialog shortcuts={[...known.current]} onClose={() => setHelpOpen(false)} />
      )}
    </ShortcutsContext>
  );
}

/**
 * Reads keys that are pressed outside of fields and dialogs, alone or in pairs; `run` tells whether
 * they meant something.
 */
function useKeys(isOn: boolean, run: (keys: string) => boolean): void {
  const onKeys = useEffectEvent(run);
  useEffect(() => {
    if (!isOn) return;
    let first = { key: '', at: 0 };
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return;
      const isPair = first.key === 'g' && event.timeStamp - first.at < PAIR_MS;
      const key = keyOf(event);
      const keys = isPair ? `g ${key}` : key;
      first = { key, at: event.timeStamp };
      // A key that moves the focus into a field must not be typed there as well.
      if (onKeys(keys)) event.preventDefault();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [isOn]);
}

/** A letter is where it is on the keyboard, whether the layout is Russian, Kazakh or English. */
function keyOf({ code, key }: KeyboardEvent): string {
  return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? key;
}

function isTaken(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const isTyping = target.matches('input, textarea, select, [contenteditable]');
  return isTyping || target.closest('dialog, [popover]') !== null;
}

export function useShortcuts(): Shortcuts {
  const shortcuts = useContext(ShortcutsContext);
  if (shortcuts === undefined) throw new Error('shortcuts are asked for outside of their provider');
  return shortcuts;
}

/** Adds a key while the component is shown; the label stands in the help. */
export function useShortcut(keys: string, label: string, run: () => void): void {
  const { add } = useShortcuts();
  const onPress = useEffectEvent(run);
  useEffect(() => add({ keys, label, run: () => onPress() }), [add, keys, label]);
}

function HelpDialog({ shortcuts, onClose }: { shortcuts: Shortcut[]; onClose: () => void }) {
  const texts = useTexts().ui;
  const { isOn, setOn } = useShortcuts();
  const rows = [
    ...shortcuts,
    { keys: '?', label: texts.shortcutsTitle },
    { keys: 'Esc', label: texts.close },
  ];
  return (
    <Dialog title={texts.shortcutsTitle} onClose={onClose}>
      <dl className="mb-4 grid grid-cols-[auto_1fr] gap-x-5 gap-y-2 text-table">
        {rows.map(({ keys, label }) => (
          <div key={keys} className="contents">
            <dt className="flex gap-1">
              {keys.split(' ').map((key) => (
                <kbd
                  key={key}
                  className="min-w-6 rounded-[4px] border border-border px-1.5 text-center font-mono text-sm"
                >
                  {key}
                </kbd>
              ))}
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
