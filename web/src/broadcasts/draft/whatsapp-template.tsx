import { useQuery } from '@tanstack/react-query';
import type { ChosenTemplate, WhatsappTemplate } from '@zhiber/contract/cabinet/broadcasts.ts';
import { useState } from 'react';
import { queryOf } from '../../queries.ts';
import { useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { SelectField } from '../../ui/controls/select-field.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Card } from '../../ui/display/card.tsx';
import { templateVariables, variableOf } from './text-variables.ts';
import type { Draft } from './use-draft.ts';

const VARIABLE_LENGTH_MAX = 200;

const keyOf = ({ name, language }: { name: string; language: string }) => `${name} ${language}`;

/** WhatsApp carries a broadcast only by an approved template, with a text for each variable. */
export function WhatsappTemplateCard({ draft }: { draft: Draft }) {
  const texts = useBroadcastTexts();
  const { broadcast } = draft;
  const isOffered = broadcast.offered_channels.includes('whatsapp');
  const { data } = useQuery({ ...queryOf('whatsappTemplates'), enabled: isOffered });
  const [chosen, setChosen] = useState<ChosenTemplate | null>(broadcast.whatsapp_template);
  if (!isOffered || data === undefined) return null;
  if (data.templates.length === 0 && chosen === null) {
    return <p className="text-sm text-muted">{texts.noWhatsappTemplates}</p>;
  }
  const save = (template: ChosenTemplate | null) => {
    setChosen(template);
    void draft.save({ whatsapp_template: template });
  };
  const choose = (key: string) => {
    const template = data.templates.find((one) => keyOf(one) === key);
    save(template === undefined ? null : startOf(template, broadcast.rows.columns));
  };
  return (
    <Card title={texts.whatsappTemplate}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <SelectField
          name="whatsapp_template"
          label={texts.template}
          hint={texts.whatsappTemplateHint}
          value={chosen === null ? '' : keyOf(chosen)}
          onChoose={choose}
          options={[
            { value: '', label: texts.noTemplate },
            ...data.templates.map((one) => ({
              value: keyOf(one),
              label: `${one.name} · ${one.language}`,
            })),
          ]}
        />
        {chosen !== null && (
          <>
            <p
              translate="no"
              className="rounded-control bg-sunken px-3 py-2 text-table whitespace-pre-line wrap-anywhere"
            >
              {chosen.body}
            </p>
            {chosen.variables.map((variable, place) => (
              <TextField
                key={`${keyOf(chosen)} ${place}`}
                name={`variable-${place + 1}`}
                label={`{{${place + 1}}}`}
                hint={place === 0 ? texts.templateVariableHint : undefined}
                list="broadcast-variables"
                maxLength={VARIABLE_LENGTH_MAX}
                autoComplete="off"
                value={variable}
                onChange={({ currentTarget: { value } }) =>
                  setChosen({ ...chosen, variables: chosen.variables.with(place, value) })
                }
                onBlur={() => {
                  const isSame =
                    JSON.stringify(chosen) === JSON.stringify(broadcast.whatsapp_template);
                  if (!isSame) save(chosen);
                }}
              />
            ))}
            <datalist id="broadcast-variables">
              {[...broadcast.rows.columns.map(variableOf), ':link'].map((value) => (
                <option key={value} value={value} />
              ))}
            </datalist>
          </>
        )}
      </div>
    </Card>
  );
}

/** A template with nothing in its variables yet, except where there is only one column to take. */
function startOf(template: WhatsappTemplate, columns: readonly string[]): ChosenTemplate {
  const count = templateVariables(template.body);
  const only = columns.length === 1 ? variableOf(columns[0] ?? '') : '';
  return { ...template, variables: Array.from({ length: count }, () => only) };
}
