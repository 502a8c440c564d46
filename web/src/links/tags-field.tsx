import { useQuery } from '@tanstack/react-query';
import { LINK_TAGS_MAX, TAG_LENGTH_MAX } from '@zhiber/contract/cabinet/link-limits.ts';
import { Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import { queryOf } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Optional } from '../ui/controls/field.tsx';
import type { FormValues } from '../ui/controls/form.tsx';
import { TextField } from '../ui/controls/text-field.tsx';

/** The name of the field in its form. */
const TYPED = 'tag';

/** With the tag that was typed and not added: it would be lost. */
export function withTypedTag(tags: readonly string[], values: FormValues): string[] {
  return isAnother(tags, values.text(TYPED)) ? [...tags, tidy(values.text(TYPED))] : [...tags];
}

const tidy = (typed: string) => typed.trim().replaceAll(/\s+/g, ' ');

function isAnother(tags: readonly string[], typed: string): boolean {
  const tag = tidy(typed).toLowerCase();
  return (
    tag !== '' && tags.length < LINK_TAGS_MAX && tags.every((one) => one.toLowerCase() !== tag)
  );
}

/** The tags of a link as chips, and a field that suggests those of other links. */
export function TagsField(props: { tags: readonly string[]; onChange: (tags: string[]) => void }) {
  const { tags, onChange } = props;
  const texts = useTexts().links;
  const known = useQuery(queryOf('linkOptions')).data?.tags ?? [];
  const listId = useId();
  const [typed, setTyped] = useState('');
  const add = () => {
    setTyped('');
    if (isAnother(tags, typed)) onChange([...tags, tidy(typed)]);
  };
  const isFull = tags.length >= LINK_TAGS_MAX;
  return (
    <div className="grid gap-2">
      <TextField
        name={TYPED}
        label={<Optional label={texts.tags} />}
        hint={texts.tagsHint}
        maxLength={TAG_LENGTH_MAX}
        autoComplete="off"
        list={listId}
        disabled={isFull}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if ((event.key !== 'Enter' && event.key !== ',') || typed.trim() === '') return;
          event.preventDefault();
          add();
        }}
        beside={
          <Button
            icon={<Plus aria-hidden="true" size={16} />}
            disabled={isFull || typed.trim() === ''}
            onClick={add}
          >
            {texts.addTag}
          </Button>
        }
      />
      <datalist id={listId}>
        {known
          .filter((tag) => !tags.includes(tag))
          .map((tag) => (
            <option key={tag} value={tag} />
          ))}
      </datalist>
      {tags.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {tags.map((tag) => (
            <li key={tag}>
              <button
                type="button"
                aria-label={texts.removeTag(tag)}
                className="inline-flex min-h-8 items-center gap-1.5 rounded-control bg-sunken px-2.5 text-sm hover:bg-hairline pointer-coarse:min-h-11"
                onClick={() => onChange(tags.filter((one) => one !== tag))}
              >
                {tag}
                <X aria-hidden="true" size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
