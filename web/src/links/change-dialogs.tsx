import { useState } from 'react';
import type { Answer } from '../call.ts';
import { useAction } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { withScheme } from '../ui/controls/with-scheme.ts';
import { ActDialog } from '../ui/overlays/act-dialog.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';
import { EXPIRIES, type Expiry, expirySeconds } from './new/expiry.ts';
import { ExpiryChoice } from './new/expiry-choice.tsx';
import { TagsField, withTypedTag } from './tags-field.tsx';

type LinkWithClicks = Answer<'link'>;
type DialogProps = { link: LinkWithClicks; onClose: () => void };

const OPTIONS = ['same', ...EXPIRIES] as const;

/** Changes where a link leads, and until when it works. */
export function ChangeDialog({ link, onClose }: DialogProps) {
  const texts = useTexts().links;
  const { showToast } = useToasts();
  const change = useAction('changeLink', { invalidates: ['link', 'links'] });
  // The page is refreshed while the dialog is open; the server compares with what was shown first.
  const [urlBefore] = useState(link.url);
  const [expiry, setExpiry] = useState<Expiry | 'same'>('same');
  const isSent = link.source !== 'shorten';
  return (
    <ActDialog
      title={texts.changeTitle}
      action={texts.save}
      state={change}
      onClose={onClose}
      onSubmit={(values) => {
        const url = withScheme(values.text('url'));
        const expires_in =
          expiry === 'same'
            ? {}
            : {
                expires_in:
                  expirySeconds({ expiry, day: values.optional('day') }, Date.now()) ?? null,
              };
        change.mutate(
          { params: { slug: link.slug }, body: { url_before: urlBefore, url, ...expires_in } },
          {
            onSuccess: () => {
              showToast(texts.changed);
              onClose();
            },
          },
        );
      }}
    >
      <TextField
        name="url"
        label={texts.destination}
        type="text"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={urlBefore}
        required
      />
      <ExpiryChoice options={OPTIONS} expiry={expiry} onChoose={setExpiry} />
      <div className="grid gap-2 text-table text-muted">
        <p>{texts.changeNote}</p>
        {isSent && (
          <p className="rounded-control bg-warn-tint p-3 text-text">{texts.changeSentNote}</p>
        )}
      </div>
    </ActDialog>
  );
}

export function TagsDialog({ link, onClose }: DialogProps) {
  const texts = useTexts().links;
  const save = useAction('tagLink', { invalidates: ['link', 'links', 'linkOptions'] });
  const [tags, setTags] = useState([...link.tags]);
  return (
    <ActDialog
      title={texts.changeTags}
      action={texts.save}
      state={save}
      onClose={onClose}
      onSubmit={(values) =>
        save.mutate(
          { params: { slug: link.slug }, body: { tags: withTypedTag(tags, values) } },
          { onSuccess: onClose },
        )
      }
    >
      <TagsField tags={tags} onChange={setTags} />
    </ActDialog>
  );
}
