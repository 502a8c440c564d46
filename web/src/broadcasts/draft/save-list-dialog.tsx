import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answer, call } from '../../call.ts';
import { invalidate, queryOf } from '../../queries.ts';
import { useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Optional } from '../../ui/controls/field.tsx';
import { Form, FormActions, type FormValues } from '../../ui/controls/form.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { SelectField } from '../../ui/controls/select-field.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Facts } from '../../ui/display/card.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { readTags } from '../lists/tags.ts';
import type { Draft } from './use-draft.ts';

const NEW = 'new';

/** Keeps the checked rows for later broadcasts, in a new list or in one that is there. */
export function SaveListDialog({ draft, onClose }: { draft: Draft; onClose: () => void }) {
  const texts = useBroadcastTexts();
  const { ui } = useTexts();
  const { data } = useQuery(queryOf('recipientLists'));
  const [chosen, setChosen] = useState(NEW);
  // A list that was created stays created when the import is refused and tried again.
  const [createdId, setCreatedId] = useState<number>();
  const save = useMutation({
    mutationFn: async (values: FormValues) => {
      let id = chosen === NEW ? createdId : Number(chosen);
      if (id === undefined) {
        id = (await call('createList', { body: { name: values.text('name') } })).id;
        setCreatedId(id);
      }
      const tags = readTags(values.text('tags'));
      const body = { broadcast_id: draft.id, ...(tags.length > 0 && { tags }) };
      return { id, ...(await call('importIntoList', { params: { id }, body })) };
    },
    onSuccess: () => invalidate(['recipientLists', 'listMembers']),
  });
  return (
    <Dialog title={texts.saveToList} onClose={onClose}>
      {save.data !== undefined ? (
        <Imported result={save.data} onClose={onClose} />
      ) : (
        <Form error={save.error} onSubmit={save.mutate}>
          {data !== undefined && data.lists.length > 0 && (
            <SelectField
              name="list"
              label={texts.list}
              value={chosen}
              onChoose={setChosen}
              options={[
                { value: NEW, label: texts.newList },
                ...data.lists.map(({ id, name }) => ({ value: String(id), label: name })),
              ]}
            />
          )}
          {chosen === NEW && (
            <TextField
              name="name"
              label={texts.listName}
              defaultValue={draft.broadcast.name}
              maxLength={200}
              autoComplete="off"
              required
            />
          )}
          <TextField
            name="tags"
            label={<Optional label={texts.tags} />}
            hint={texts.tagsInputHint}
            autoComplete="off"
          />
          <p className="text-sm text-muted">{texts.importNote}</p>
          <FormActions>
            <Button type="submit" look="primary" isBusy={save.isPending}>
              {texts.saveToListSubmit}
            </Button>
            <Button look="quiet" onClick={onClose}>
              {ui.cancel}
            </Button>
          </FormActions>
        </Form>
      )}
    </Dialog>
  );
}

function Imported(props: {
  result: Answer<'importIntoList'> & { id: number };
  onClose: () => void;
}) {
  const { result, onClose } = props;
  const texts = useBroadcastTexts();
  const { ui } = useTexts();
  const format = useFormat();
  return (
    <div className="grid gap-4">
      <div role="status">
        <Facts
          rows={(['added', 'updated', 'unchanged', 'left_out'] as const).map((name) => [
            texts.imported[name],
            format.number(result[name]),
          ])}
        />
      </div>
      <FormActions>
        <Button look="primary" onClick={onClose}>
          {ui.close}
        </Button>
        <LinkButton to="/app/broadcasts/lists/$id" params={{ id: String(result.id) }}>
          {texts.openList}
        </LinkButton>
      </FormActions>
    </div>
  );
}
