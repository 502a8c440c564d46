import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { INPUT_CLASS } from '../controls/field.tsx';
import { useShortcut } from '../overlays/shortcuts.tsx';

/** Searches on Enter and on paste: half a phone number would find nothing. `/` focuses it. */
export function SearchField(props: {
  label: string;
  value: string | undefined;
  onSearch: (value: string | undefined) => void;
}) {
  const { label, value = '', onSearch } = props;
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useShortcut('/', label, () => input.current?.focus());
  const search = (text: string) => onSearch(text.trim() || undefined);
  return (
    <search className="relative min-w-0 grow basis-64">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search(typed);
        }}
      >
        <Search
          aria-hidden="true"
          size={16}
          className="pointer-events-none absolute inset-y-0 start-3 my-auto text-faint"
        />
        <input
          ref={input}
          type="search"
          aria-label={label}
          placeholder={label}
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          className={`${INPUT_CLASS} ps-9 text-table`}
          value={typed}
          onChange={(event) => {
            const text = event.currentTarget.value;
            setTyped(text);
            const isPasted = (event.nativeEvent as InputEvent).inputType === 'insertFromPaste';
            if (text === '' || isPasted) search(text);
          }}
        />
      </form>
    </search>
  );
}
