import { CHANNEL_TITLES } from '@zhiber/contract/api/channel.ts';
import {
  ALIAS_LENGTH_MAX,
  GROUP_TEXT_LENGTH_MAX,
  LINK_TEXT_LENGTH_MAX,
  PURPOSE_LENGTH_MAX,
  URL_LENGTH_MAX,
} from '@zhiber/contract/api/limits.ts';
import type { ChangeEvent, ReactNode } from 'react';
import type { RequestFields } from '../../snippets/request-body.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Optional } from '../../ui/controls/field.tsx';
import { SelectField } from '../../ui/controls/select-field.tsx';
import { TextAreaField, TextField } from '../../ui/controls/text-field.tsx';
import type { RequestProps } from './draft.ts';
import { PhoneField } from './phone-field.tsx';
import { SmsCounter } from './price-line.tsx';

type TextEvent = ChangeEvent<HTMLInputElement | HTMLTextAreaElement>;
type Props = RequestProps & { groupsLink: ReactNode };

/** The name of a field, its value, and how it is changed. */
function bind({ fields, onSet }: RequestProps, name: keyof RequestFields) {
  return {
    name,
    value: fields[name],
    autoComplete: 'off',
    onChange: (event: TextEvent) => onSet({ [name]: event.currentTarget.value }),
  };
}

export function OtpFields(props: Props) {
  const texts = useTexts().playground;
  return (
    <>
      <PhoneField {...props} />
      <MessageLink {...props} />
      <details>
        <summary className="text-table text-muted">{texts.more}</summary>
        <div className="pt-2">
          <TextField
            {...bind(props, 'purpose')}
            label={<Optional label={texts.purpose} />}
            hint={texts.purposeHint}
            maxLength={PURPOSE_LENGTH_MAX}
            spellCheck={false}
          />
        </div>
      </details>
    </>
  );
}

export function LinkFields(props: Props) {
  const texts = useTexts().playground;
  return (
    <>
      <PhoneField {...props} />
      <TargetUrl {...props} />
      <TextAreaField
        {...bind(props, 'text')}
        label={<Optional label={texts.text} />}
        hint={texts.textHint}
        rows={2}
        maxLength={LINK_TEXT_LENGTH_MAX}
      />
      <SmsCounter {...props} />
    </>
  );
}

export function ShortenFields(props: Props) {
  const texts = useTexts().playground;
  return (
    <>
      <TargetUrl {...props} />
      <TextField
        {...bind(props, 'alias')}
        label={<Optional label={texts.alias} />}
        maxLength={ALIAS_LENGTH_MAX}
        spellCheck={false}
      />
      <TextField
        {...bind(props, 'expiresIn')}
        label={<Optional label={texts.expiresIn} />}
        inputMode="numeric"
        maxLength={9}
      />
    </>
  );
}

export function GroupFields(props: Props) {
  const texts = useTexts().playground;
  return (
    <>
      <GroupChoice {...props} />
      <TextAreaField
        {...bind(props, 'text')}
        label={texts.text}
        hint={texts.textHint}
        rows={3}
        maxLength={GROUP_TEXT_LENGTH_MAX}
      />
      <MessageLink {...props} />
    </>
  );
}

function TargetUrl(props: RequestProps) {
  const texts = useTexts().playground;
  return (
    <TextField
      {...bind(props, 'url')}
      label={texts.url}
      inputMode="url"
      maxLength={URL_LENGTH_MAX}
      spellCheck={false}
    />
  );
}

function MessageLink(props: RequestProps) {
  const texts = useTexts().playground;
  return (
    <TextField
      {...bind(props, 'link')}
      label={<Optional label={texts.link} />}
      placeholder="https://"
      inputMode="url"
      maxLength={URL_LENGTH_MAX}
      spellCheck={false}
    />
  );
}

/** One of the groups that are linked; where there is none, how to get one. */
function GroupChoice({ facts: { groups }, fields, onSet, groupsLink }: Props) {
  const texts = useTexts().playground;
  if (groups?.length === 0) {
    return (
      <p className="rounded-control bg-sunken px-3 py-2 text-table">
        {texts.noGroups} {groupsLink}
      </p>
    );
  }
  return (
    <SelectField
      name="group"
      label={texts.group}
      value={fields.group}
      options={[
        ...(groups === undefined ? [{ value: '', label: texts.chooseGroup }] : []),
        ...(groups ?? []).map(({ name, channel }) => ({
          value: name,
          label: `${name} · ${CHANNEL_TITLES[channel]}`,
        })),
      ]}
      onChoose={(group) => onSet({ group })}
    />
  );
}
