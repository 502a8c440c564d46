import { useId } from 'react';

/** A few choices side by side, one of which is always taken: radio buttons in the shape of a bar. */
export function Segments<Word extends string>(props: {
  label: string;
  words: Record<Word, string>;
  chosen: Word;
  onChoose: (word: Word) => void;
}) {
  const { label, words, chosen, onChoose } = props;
  const name = useId();
  return (
    <fieldset className="inline-flex rounded-control border border-hairline bg-surface p-0.5">
      <legend className="sr-only">{label}</legend>
      {(Object.entries(words) as [Word, string][]).map(([word, text]) => (
        <label
          key={word}
          className="inline-flex min-h-8 items-center rounded-[4px] px-3 text-sm whitespace-nowrap text-muted has-checked:bg-sunken has-checked:font-medium has-checked:text-text has-focus-visible:outline-2 has-focus-visible:outline-brand pointer-coarse:min-h-11"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={chosen === word}
            onChange={() => onChoose(word)}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
