import { useId } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';

type Words<Word extends string> = Record<Word, string>;

const LINE_CLASS = 'target flex items-center gap-2.5 rounded-control px-1 text-table';

/** A multiple choice; none selected means all. */
export function ChoiceBoxes<Word extends string>(props: {
  words: Words<Word>;
  chosen: readonly Word[] | undefined;
  onChoose: (chosen: Word[] | undefined) => void;
}) {
  const { words, chosen = [], onChoose } = props;
  const toggle = (word: Word) => {
    const next = chosen.includes(word) ? chosen.filter((one) => one !== word) : [...chosen, word];
    onChoose(next.length === 0 ? undefined : next);
  };
  return (
    <div>
      {toEntries(words).map(([word, text]) => (
        <label key={word} className={LINE_CLASS}>
          <input
            type="checkbox"
            className="size-[18px] shrink-0 accent-brand"
            checked={chosen.includes(word)}
            onChange={() => toggle(word)}
          />
          {text}
        </label>
      ))}
    </div>
  );
}

/** A single choice, or all. */
export function ChoiceDots<Word extends string>(props: {
  words: Words<Word>;
  /** The label of the option for all. */
  allText?: string;
  chosen: Word | undefined;
  onChoose: (chosen: Word | undefined) => void;
}) {
  const { words, chosen, onChoose } = props;
  const texts = useTexts().lists;
  const name = useId();
  const lines: [Word | undefined, string][] = [
    [undefined, props.allText ?? texts.all],
    ...toEntries(words),
  ];
  return (
    <div>
      {lines.map(([word, text]) => (
        <label key={word ?? ''} className={LINE_CLASS}>
          <input
            type="radio"
            name={name}
            className="size-[18px] shrink-0 accent-brand"
            checked={chosen === word}
            onChange={() => onChoose(word)}
          />
          {text}
        </label>
      ))}
    </div>
  );
}

function toEntries<Word extends string>(words: Words<Word>): [Word, string][] {
  return Object.entries(words) as [Word, string][];
}

/** The text of the chosen options in a filter pill. */
export function chosenText<Word extends string>(
  words: Words<Word>,
  chosen: Word | readonly Word[] | undefined,
): string | undefined {
  if (chosen === undefined) return undefined;
  const list = typeof chosen === 'string' ? [chosen] : chosen;
  return list.map((word) => words[word]).join(', ');
}
