import {
  COMPONENTS,
  INCIDENT_IMPACTS,
  INCIDENT_STATES,
  INCIDENT_TEXT_MAX,
  INCIDENT_TITLE_MAX,
  type Incident,
} from '@zhiber/contract/admin/incidents.ts';
import { LANGS } from '@zhiber/contract/languages.ts';
import { fromAlmatyInput, toAlmatyInput } from '../../design/format/almaty-input.ts';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { Optional } from '../../ui/controls/field.tsx';
import type { FormValues } from '../../ui/controls/form.tsx';
import { SelectField } from '../../ui/controls/select-field.tsx';
import { TextAreaField, TextField } from '../../ui/controls/text-field.tsx';
import { CheckboxField } from '../../ui/controls/tick-field.tsx';

type State = Incident['state'];
/** Maintenance is planned, and is not investigated. */
export type IncidentKind = 'incident' | 'maintenance';

export function kindOf({ planned_from }: Pick<Incident, 'planned_from'>): IncidentKind {
  return planned_from === null ? 'incident' : 'maintenance';
}

export function FactFields({ incident, kind }: { incident?: Incident; kind: IncidentKind }) {
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
      {kind === 'incident' ? (
        <SelectField
          name="impact"
          label={texts.impact}
          options={INCIDENT_IMPACTS.map((value) => ({ value, label: texts.impacts[value] }))}
          defaultValue={incident?.impact ?? 'minor'}
        />
      ) : (
        (['from', 'until'] as const).map((edge) => (
          <TextField
            key={edge}
            name={`planned-${edge}`}
            label={texts.planned[edge]}
            type="datetime-local"
            required
            defaultValue={localTimeOf(incident?.[`planned_${edge}`])}
          />
        ))
      )}
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

/** What a field for a time in Almaty shows of an instant. */
function localTimeOf(instant: string | null | undefined): string {
  return typeof instant === 'string' ? toAlmatyInput(instant) : '';
}

const MAINTENANCE_STATES = ['identified', 'resolved'] as const;

export function SaidFields({ state, kind }: { state?: State; kind: IncidentKind }) {
  const texts = useAdminTexts().incidents;
  const options =
    kind === 'incident'
      ? INCIDENT_STATES.map((value) => ({ value, label: texts.states[value] }))
      : MAINTENANCE_STATES.map((value) => ({ value, label: texts.maintenanceStates[value] }));
  return (
    <>
      <SelectField
        name="state"
        label={texts.state}
        options={options}
        defaultValue={state ?? options[0]?.value ?? 'investigating'}
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

export function factsIn(values: FormValues, kind: IncidentKind) {
  const timeIn = (name: string) => fromAlmatyInput(values.optional(name) ?? '');
  const [from, until] = [timeIn('planned-from'), timeIn('planned-until')];
  return {
    title: translatedIn(values, 'title'),
    impact: kind === 'incident' ? (values.text('impact') as Incident['impact']) : 'minor',
    components: COMPONENTS.filter((name) => values.isOn(`component-${name}`)),
    ...(from !== undefined && { planned_from: from }),
    ...(until !== undefined && { planned_until: until }),
  };
}

export function saidIn(values: FormValues) {
  return { state: values.text('state') as State, text: translatedIn(values, 'text') };
}

function translatedIn(values: FormValues, field: 'title' | 'text') {
  const [kk, en] = [values.optional(nameOf(field, 'kk')), values.optional(nameOf(field, 'en'))];
  return { ru: values.text(nameOf(field, 'ru')), ...(kk && { kk }), ...(en && { en }) };
}
