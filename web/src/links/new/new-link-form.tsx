import { useState } from 'react';
import type { Answer } from '../../call.ts';
import { useAction } from '../../queries.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form, FormActions, type FormValues } from '../../ui/controls/form.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { withScheme } from '../../ui/controls/with-scheme.ts';
import { Card } from '../../ui/display/card.tsx';
import { TagsField, withTypedTag } from '../tags-field.tsx';
import { AliasField } from './alias-field.tsx';
import { EXPIRIES, type Expiry, expirySeconds } from './expiry.ts';
import { ExpiryChoice } from './expiry-choice.tsx';

export type CreatedLink = Answer<'createLink'>;

export function NewLinkForm(props: {
  onCreated: (link: CreatedLink) => void;
  /** Absent where the form is the only content of the page. */
  onClose?: (() => void) | undefined;
}) {
  const texts = useTexts();
  const create = useAction('createLink', { invalidates: ['links', 'checkAlias', 'linkOptions'] });
  const [alias, setAlias] = useState('');
  const [tags, setTags] = useState<string[]>([]);
  const [expiry, setExpiry] = useState<Expiry>('never');
  const submit = (values: FormValues) => {
    const expiresIn = expirySeconds({ expiry, day: values.optional('day') }, Date.now());
    const allTags = withTypedTag(tags, values);
    const body = {
      url: withScheme(values.text('url')),
      ...(alias !== '' && { alias }),
      ...(expiresIn !== undefined && { expires_in: expiresIn }),
      ...(allTags.length > 0 && { tags: allTags }),
    };
    create.mutate({ body }, { onSuccess: props.onCreated });
  };
  return (
    <Card title={texts.links.newTitle} className="max-w-2xl">
      <Form error={create.error} onSubmit={submit}>
        <TextField
          name="url"
          label={texts.links.url}
          type="text"
          inputMode="url"
          placeholder="https://"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <AliasField alias={alias} onType={setAlias} />
        <TagsField tags={tags} onChange={setTags} />
        <ExpiryChoice options={EXPIRIES} expiry={expiry} onChoose={setExpiry} />
        <FormActions>
          <Button type="submit" look="primary" isBusy={create.isPending}>
            {texts.links.create}
          </Button>
          {props.onClose !== undefined && (
            <Button look="quiet" onClick={props.onClose}>
              {texts.ui.cancel}
            </Button>
          )}
        </FormActions>
      </Form>
    </Card>
  );
}
