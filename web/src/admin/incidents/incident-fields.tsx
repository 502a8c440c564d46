import {
  COMPONENTS,
  INCIDENT_IMPACTS,
  INCIDENT_STATES,
  INCIDENT_TEXT_MAX,
  INCIDENT_TITLE_MAX,
  type Incident,
} from '@zhiber/contract/admin/incidents.ts';
import { LANGS } from '@zhiber/contract/languages.ts';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { Optional } from '../../ui/controls/field.tsx';
import type { FormValues } from '../../ui/controls/form.tsx';
import { SelectField } from '../../ui/controls/select-field.tsx';
import { TextAreaField, TextField } from '../../ui/controls/text-field.tsx';
import { CheckboxField } from '../../ui/controls/tick-field.tsx';

type State = Incident['state'];

export function FactFields({ incident }: { incident?: Incident }) {
  const texts = useAdminTexts().incidents;
  return (
    <>
      {LANGS.map((lang) => (
        <TextField
          key={lang}
          name={nameOf('title', lang)}
          label={lang === 'ru' ? texts.titleIn.ru : <Optional label={texts.titleIn[lang]} />}
          lang={lang}
          required={lang === 'ru'}
          maxLength={INCIDENT_TITLE_MAX}
          defaultValue={incident?.title[lang] ?? ''}
          autoComplete="off"
        />
      ))}
      <SelectField
        name="impact"
        label={texts.impact}
        options={INCIDENT_IMPACTS.map((value) => ({ value, label: texts.impacts[value] }))}
        defaultValue={incident?.impact ?? 'minor'}
      />
      <fieldset>
        <legend className="mb-1 text-table font-medium">{texts.components}</legend>
        <div className="grid gap-x-4 sm:grid-cols-2">
          {COMPONENTS.map((name) => (
            <CheckboxField
              key={name}
              name={`component-${name}`}
              label={texts.componentNames[name]}
              defaultChecked={incident?.components.includes(name) ?? false}
            />
          ))}
        </div>
      </fieldset>
    </>
  );
}

export function SaidFields({ state = 'investigating' }: { state?: State }) {
  const texts = useAdminTexts().incidents;
  return (
    <>
      <SelectField
        name="state"
        label={texts.state}
        options={INCIDENT_STATES.map((value) => ({ value, label: texts.states[value] }))}
        defaultValue={state}
      />
      {LANGS.map((lang) => (
        <TextAreaField
          key={lang}
          name={nameOf('text', lang)}
          label={lang === 'ru' ? texts.textIn.ru : <Optional label={texts.textIn[lang]} />}
          hint={lang === 'en' ? texts.fallback : undefined}
          lang={lang}
          rows={3}
          required={lang === 'ru'}
          maxLength={INCIDENT_TEXT_MAX}
        />
      ))}
    </>
  );
}

/** What the fields are named after their language: `title-ru`. */
const nameOf = (field: 'title' | 'text', lang: (typeof LANGS)[number]) => `${field}-${lang}`;

export function factsIn(values: FormValues) {
  return {
    title: translatedIn(values, 'title'),
    impact: values.text('impact') as Incident['impact'],
    components: COMPONENTS.filter((name) => values.isOn(`component-${name}`)),
  };
}

export function saidIn(values: FormValues) {
  return { state: values.text('state') as State, text: translatedIn(values, 'text') };
}

function translatedIn(values: FormValues, field: 'title' | 'text') {
  const [kk, en] = [values.optional(nameOf(field, 'kk')), values.optional(nameOf(field, 'en'))];
  return { ru: values.text(nameOf(field, 'ru')), ...(kk && { kk }), ...(en && { en }) };
}
