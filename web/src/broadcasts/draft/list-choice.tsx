import { useQuery } from '@tanstack/react-query';
import type { RecipientList } from '@zhiber/contract/cabinet/recipient-lists.ts';
import { useState } from 'react';
import type { Body } from '../../call.ts';
import { queryOf } from '../../queries.ts';
import { useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form, FormActions } from '../../ui/controls/form.tsx';
import { SelectField } from '../../ui/controls/select-field.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { SkeletonCard } from '../../ui/display/skeleton.tsx';

/** A saved list, whole or only the members with some of its tags. */
export function ListChoice(props: {
  error: Error | null;
  onList: (body: Body<'useList'>) => void;
}) {
  const texts = useBroadcastTexts();
  const { data, error, refetch } = useQuery(queryOf('recipientLists'));
  if (error !== null) return <Failure error={error} onRetry={refetch} />;
  if (data === undefined) return <SkeletonCard />;
  const [first] = data.lists;
  if (first === undefined) return <p className="text-table text-muted">{texts.noLists}</p>;
  return <ChooseList {...props} lists={data.lists} first={first} />;
}

function ChooseList(props: {
  error: Error | null;
  onList: (body: Body<'useList'>) => void;
  lists: readonly RecipientList[];
  first: RecipientList;
}) {
  const { lists, first, onList } = props;
  const texts = useBroadcastTexts();
  const format = useFormat();
  const [id, setId] = useState(first.id);
  const list = lists.find((one) => one.id === id) ?? first;
  return (
    <Form
      error={props.error}
      onSubmit={(values) => {
        const tags = values.all('tags');
        onList({ list_id: list.id, ...(tags.length > 0 && { tags }) });
      }}
    >
      <SelectField
        name="list_id"
        label={texts.list}
        value={String(list.id)}
        onChoose={(value) => setId(Number(value))}
        options={lists.map(({ id: value, name, members }) => ({
          value: String(value),
          label: `${name} (${format.number(members)})`,
        }))}
      />
      {list.tags.length > 0 && (
        <fieldset key={list.id}>
          <legend className="text-table font-medium">{texts.tags}</legend>
          <p className="text-sm text-muted">{texts.tagsHint}</p>
          <div className="flex flex-wrap gap-x-5">
            {list.tags.map(({ tag, members }) => (
              <label key={tag} className="target flex items-center gap-2.5 text-table">
                <input
                  type="checkbox"
                  name="tags"
                  value={tag}
                  className="size-[18px] shrink-0 accent-brand"
                />
                <span>
                  {tag} <span className="text-muted">{format.number(members)}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      <FormActions>
        <Button type="submit" look="primary">
          {texts.takeList}
        </Button>
      </FormActions>
    </Form>
  );
}
