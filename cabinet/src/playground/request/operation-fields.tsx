import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CHANNEL_TITLES } from '@zhiber/contract/api/channel.ts';
import {
  ALIAS_LENGTH_MAX,
  GROUP_TEXT_LENGTH_MAX,
  LINK_TEXT_LENGTH_MAX,
  PURPOSE_LENGTH_MAX,
  URL_LENGTH_MAX,
} from '@zhiber/contract/api/limits.ts';
import type { ChangeEvent } from 'react';
import { queryOf } from '../../queries.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { SelectField } from '../../ui/controls/select-field.tsx';
import { TextAreaField, TextField } from '../../ui/controls/text-field.tsx';
import type { RequestFields } from './fields.ts';
import { PhoneField } from './phone-field.tsx';
import { SmsCounter } from './price-line.tsx';
import type { RequestProps } from './request-card.tsx';

type TextEvent = ChangeEvent<HTMLInputElement | HTMLTextAreaElement>;

/** The name of a field, its value, and how it is changed. */
function bind({ fields, onSet }: RequestProps, name: keyof RequestFields) {
  return {
    name,
    value: fields[name],
    autoComplete: 'off',
    onChange: (event: TextEvent) => onSet({ [name]: event.currentTarget.value }),
  };
}

export function OtpFields(props: RequestProps) {
  const texts = useTexts().playground;
  return (
    <>
      <PhoneField {...props} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <MessageLink {...props} />
        <TextField
          {...bind(props, 'purpose')}
          label={texts.purpose}
          hint={texts.purposeHint}
          maxLength={PURPOSE_LENGTH_MAX}
          spellCheck={false}
        />
      </div>
    </>
  );
}

export function LinkFields(props: RequestProps) {
  const texts = useTexts().playground;
  return (
    <>
      <PhoneField {...props} />
      <TargetUrl {...props} />
      <TextAreaField
        {...bind(props, 'text')}
        label={texts.textOptional}
        hint={texts.textHint}
        rows={2}
        maxLength={LINK_TEXT_LENGTH_MAX}
      />
      <SmsCounter {...props} />
    </>
  );
}

export function ShortenFields(props: RequestProps) {
  const texts = useTexts().playground;
  return (
    <>
      <TargetUrl {...props} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          {...bind(props, 'alias')}
          label={texts.alias}
          maxLength={ALIAS_LENGTH_MAX}
          spellCheck={false}
        />
        <TextField
          {...bind(props, 'expiresIn')}
          label={texts.expiresIn}
          inputMode="numeric"
          maxLength={9}
        />
      </div>
    </>
  );
}

export function GroupFields(props: RequestProps) {
  const texts = useTexts().playground;
  return (
    <>
      <GroupChoice {...props} />
      <TextAreaField
        {...bind(props, 'text')}
        label={texts.text}
        hint={texts.textHint}
        rows={3}
        required
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
      label={texts.link}
      placeholder="https://"
      inputMode="url"
      maxLength={URL_LENGTH_MAX}
      spellCheck={false}
    />
  );
}

/** One of the groups that are linked; where there is none, how to get one. */
function GroupChoice({ fields, onSet }: RequestProps) {
  const texts = useTexts().playground;
  const groups = useQuery(queryOf('groups')).data?.groups;
  if (groups?.length === 0) {
    return (
      <p className="rounded-control bg-sunken px-3 py-2 text-table">
        {texts.noGroups}{' '}
        <Link to="/app/groups" className="link">
          {texts.howToLink}
        </Link>
      </p>
    );
  }
  return (
    <SelectField
      name="group"
      label={texts.group}
      required
      value={fields.group}
      options={[
        { value: '', label: texts.chooseGroup },
        ...(groups ?? []).map(({ name, channel }) => ({
          value: name,
          label: `${name} · ${CHANNEL_TITLES[channel]}`,
        })),
      ]}
      onChoose={(group) => onSet({ group })}
    />
  );
}
