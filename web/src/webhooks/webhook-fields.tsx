import { EVENT_TYPES, type EventType } from '@zhiber/contract/api/events.ts';
import type { Webhook } from '@zhiber/contract/cabinet/webhooks.ts';
import { useRight } from '../session.ts';
import { useWebhookTexts } from '../texts/use-webhook-texts.ts';
import { Button } from '../ui/controls/button.tsx';
import { Optional } from '../ui/controls/field.tsx';
import { useFieldErrors } from '../ui/controls/form.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { CheckboxField } from '../ui/controls/tick-field.tsx';

export type WebhookSettings = Pick<Webhook, 'url' | 'events' | 'description' | 'shows_phones'>;

/** The settings of an endpoint. The chosen events are kept by the form around. */
export function WebhookFields(props: {
  initial?: WebhookSettings;
  isSandbox: boolean;
  events: readonly EventType[];
  onEvents: (events: EventType[]) => void;
}) {
  const { initial, isSandbox, events, onEvents } = props;
  const texts = useWebhookTexts();
  const canSeePhones = useRight('phones.see');
  return (
    <>
      <TextField
        type="url"
        name="url"
        label={texts.fields.url}
        hint={isSandbox ? `${texts.urlHint} ${texts.urlHintSandbox}` : texts.urlHint}
        defaultValue={initial?.url}
        placeholder="https://shop.kz/zhiber/events"
        required
        maxLength={2048}
        autoComplete="off"
        spellCheck={false}
        translate="no"
      />
      <EventChoice chosen={events} onChoose={onEvents} />
      <TextField
        name="description"
        label={<Optional label={texts.fields.description} />}
        defaultValue={initial?.description}
        maxLength={200}
        autoComplete="off"
      />
      {(canSeePhones || initial?.shows_phones === true) && (
        <CheckboxField
          name="shows_phones"
          label={texts.fields.shows_phones}
          hint={texts.phonesHint}
          defaultChecked={initial?.shows_phones}
        />
      )}
    </>
  );
}

/** At least one: the server refuses an endpoint without events, and says so here. */
function EventChoice(props: {
  chosen: readonly EventType[];
  onChoose: (events: EventType[]) => void;
}) {
  const { chosen, onChoose } = props;
  const texts = useWebhookTexts();
  const errors = useFieldErrors('events');
  const toggle = (type: EventType) =>
    onChoose(
      EVENT_TYPES.filter((each) =>
        each === type ? !chosen.includes(each) : chosen.includes(each),
      ),
    );
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-table font-medium">{texts.fields.events}</legend>
      {errors.length > 0 && (
        <p lang="ru" className="text-sm text-bad">
          {errors.join(' ')}
        </p>
      )}
      <div className="grid gap-x-4 sm:grid-cols-2">
        {EVENT_TYPES.map((type, place) => (
          <label key={type} className="target flex items-start gap-2.5 py-1.5 text-table">
            <input
              type="checkbox"
              // The name of the field, for the link from the summary of errors.
              {...(place === 0 && { name: 'events' })}
              className="mt-0.5 size-5 shrink-0 accent-brand"
              checked={chosen.includes(type)}
              onChange={() => toggle(type)}
            />
            <span className="grid leading-tight">
              {texts.types[type]}
              <span translate="no" className="font-mono text-sm text-muted">
                {type}
              </span>
            </span>
          </label>
        ))}
      </div>
      {chosen.length < EVENT_TYPES.length && (
        <Button look="quiet" onClick={() => onChoose([...EVENT_TYPES])}>
          {texts.chooseAll}
        </Button>
      )}
    </fieldset>
  );
}
