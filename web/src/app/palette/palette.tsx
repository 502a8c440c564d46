import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';
import { classes } from '../../ui/classes.ts';
import { INPUT_CLASS } from '../../ui/controls/field.tsx';
import { Keys } from '../../ui/display/keys.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { nextPlace } from '../../ui/overlays/next-place.ts';
import { useShortcuts } from '../../ui/overlays/shortcuts.tsx';
import { readRecent, rememberRecent } from './recent.ts';
import { type Command, type Group, useCommands } from './use-commands.tsx';

/** Leave no trace: what somebody searched for is no habit. */
const UNREMEMBERED: readonly Group[] = ['found', 'links'];

/** Opens pages and things by their names, and does what is done often. */
export function Palette({ onClose }: { onClose: () => void }) {
  const texts = useTexts().frame.palette;
  const [typed, setTyped] = useState('');
  const [recent] = useState(readRecent);
  const [place, setPlace] = useState(0);
  const listId = useId();
  const groups = groupsOf(useCommands(typed, recent));
  const commands = groups.flatMap(({ members }) => members);
  const chosen = commands[Math.min(place, commands.length - 1)];
  const optionId = (command: Command) => `${listId}-${command.id}`;

  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    if (!UNREMEMBERED.includes(command.group)) rememberRecent(command.id);
    onClose();
    command.run();
  };
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] as 1 | -1 | undefined;
    if (step === undefined || commands.length === 0) return;
    event.preventDefault();
    setPlace(nextPlace(Math.min(place, commands.length - 1), step, commands.length));
  };

  return (
    <Dialog title={texts.open} place="top" onClose={onClose}>
      <search>
        <form
          className="relative"
          onSubmit={(event) => {
            event.preventDefault();
            run(chosen);
          }}
        >
          <Search
            aria-hidden="true"
            size={16}
            className="pointer-events-none absolute inset-y-0 start-3 my-auto text-faint"
          />
          <input
            type="text"
            role="combobox"
            aria-label={texts.field}
            aria-expanded={commands.length > 0}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={chosen && optionId(chosen)}
            placeholder={texts.field}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            className={`${INPUT_CLASS} ps-9`}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setPlace(0);
            }}
            onKeyDown={move}
          />
        </form>
      </search>
      <p role="status" className="sr-only">
        {typed !== '' && texts.results(commands.length)}
      </p>
      {/* Kept while nothing is found: the field names it. */}
      <div
        id={listId}
        role="listbox"
        aria-label={texts.open}
        className="mt-3 overflow-y-auto max-h-[60dvh]"
      >
        {groups.map(({ group, members }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand in a list box.
          <div key={group} role="group" aria-label={texts[group]}>
            <p aria-hidden="true" className="px-3 pt-2 pb-1 text-sm text-muted">
              {texts[group]}
            </p>
            {members.map((command) => (
              <Option
                key={command.id}
                id={optionId(command)}
                command={command}
                isChosen={command === chosen}
                onRun={() => run(command)}
              />
            ))}
          </div>
        ))}
      </div>
      {commands.length === 0 && <p className="px-3 py-4 text-muted">{texts.none}</p>}
      <KeysOfList />
    </Dialog>
  );
}

function Option(props: { id: string; command: Command; isChosen: boolean; onRun: () => void }) {
  const { id, command, isChosen, onRun } = props;
  const option = useRef<HTMLDivElement>(null);
  const { isOn } = useShortcuts();
  useEffect(() => {
    if (isChosen) option.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: as above; the field names the active option.
    <div
      ref={option}
      id={id}
      role="option"
      aria-selected={isChosen}
      className={classes(
        'target flex cursor-pointer items-center justify-between gap-4 rounded-control px-3 py-1 text-table hover:bg-sunken',
        isChosen && 'bg-sunken outline-2 -outline-offset-2 outline-brand',
      )}
      onClick={onRun}
    >
      <span className="min-w-0 truncate">{command.title}</span>
      {command.keys !== undefined && isOn && <Keys keys={command.keys} />}
      {command.hint !== undefined && (
        <span className="max-w-1/2 shrink-0 truncate font-mono text-sm text-muted">
          {command.hint}
        </span>
      )}
    </div>
  );
}

/** Fingers press the lines themselves. */
function KeysOfList() {
  const { frame, ui } = useTexts();
  return (
    <p
      aria-hidden="true"
      className="mt-3 flex flex-wrap gap-x-5 gap-y-1 border-t border-hairline pt-3 text-sm text-muted pointer-coarse:hidden"
    >
      <span>
        <Keys keys="↑ ↓" /> {frame.palette.choose}
      </span>
      <span>
        <Keys keys="↵" /> {frame.palette.openChosen}
      </span>
      <span>
        <Keys keys="Esc" /> {ui.close}
      </span>
    </p>
  );
}

/** In the order of their best members. */
function groupsOf(commands: readonly Command[]): { group: Group; members: Command[] }[] {
  const groups: { group: Group; members: Command[] }[] = [];
  for (const command of commands) {
    const known = groups.find(({ group }) => group === command.group);
    if (known !== undefined) known.members.push(command);
    else groups.push({ group: command.group, members: [command] });
  }
  return groups;
}
