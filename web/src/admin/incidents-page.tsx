import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  COMPONENTS,
  INCIDENT_IMPACTS,
  INCIDENT_STATES,
  INCIDENT_TEXT_MAX,
  INCIDENT_TITLE_MAX,
  type Incident,
} from '@zhiber/contract/admin/incidents.ts';
import { LANGS } from '@zhiber/contract/languages.ts';
import { CircleCheck, Eye, PencilLine, Search, Wrench } from 'lucide-react';
import { useState } from 'react';
import { useAdminTexts } from '../texts/use-admin-texts.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Optional } from '../ui/controls/field.tsx';
import { Form, FormActions, type FormValues } from '../ui/controls/form.tsx';
import { SelectField } from '../ui/controls/select-field.tsx';
import { TextAreaField, TextField } from '../ui/controls/text-field.tsx';
import { CheckboxField } from '../ui/controls/tick-field.tsx';
import { Card, Facts } from '../ui/display/card.tsx';
import { Chip } from '../ui/display/chip.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { Time } from '../ui/display/time.tsx';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { type Column, DataTable } from '../ui/table/data-table.tsx';
import { ShowMore } from '../ui/table/more-rows.tsx';
import { type DeskAnswer, pagesOf, queryOf, rowsOf, useAction } from './call.ts';
import { DeskLink } from './desk-link.tsx';
import { type SectionProps, splatOf } from './section-address.ts';

type Update = DeskAnswer<'incident'>['updates'][number];
type State = Incident['state'];

/** All incidents, or one: `/admin/incidents/12`. */
export function IncidentsPage({ path }: SectionProps) {
  const [id] = path;
  return id === undefined ? <IncidentList /> : <IncidentDetail key={id} id={id} />;
}

function IncidentList() {
  const { frame, incidents: texts } = useAdminTexts();
  const [isCreating, setCreating] = useState(false);
  const columns = useColumns();
  const list = useInfiniteQuery(pagesOf('incidents'));
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  );
  const rows = rowsOf<Incident>(list.data);
  return (
    <Page
      title={frame.sections.incidents}
      lead={texts.lead}
      actions={rows !== undefined && rows.length > 0 ? create : undefined}
    >
      {list.error !== null ? (
        <Failure error={list.error} onRetry={list.refetch} />
      ) : (
        <DataTable
          caption={frame.sections.incidents}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          empty={
            <EmptyState kind="first-use" title={texts.none} action={create}>
              {texts.noneAdvice}
            </EmptyState>
          }
        />
      )}
      <ShowMore list={list} />
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function useColumns(): Column<Incident>[] {
  const texts = useAdminTexts().incidents;
  return [
    {
      id: 'title',
      title: texts.title,
      cell: ({ id, title }) => (
        <DeskLink to={['incidents', id]} className="link wrap-anywhere">
          <span lang="ru">{title.ru}</span>
        </DeskLink>
      ),
    },
    { id: 'state', title: texts.state, cell: ({ state }) => <StateChip state={state} /> },
    { id: 'impact', title: texts.impact, cell: ({ impact }) => texts.impacts[impact] },
    {
      id: 'components',
      title: texts.components,
      cell: ({ components }) => components.map((name) => texts.componentNames[name]).join(', '),
    },
    {
      id: 'visibility',
      title: texts.visibility,
      cell: (incident) => <Visibility incident={incident} />,
    },
    {
      id: 'started',
      title: texts.started,
      cell: ({ started_at: at }) => <Time at={at} as="timeToMinute" />,
    },
  ];
}

const STATE_LOOKS = {
  investigating: { tone: 'bad', icon: Search },
  identified: { tone: 'warn', icon: Wrench },
  watching: { tone: 'info', icon: Eye },
  resolved: { tone: 'ok', icon: CircleCheck },
} as const;

function StateChip({ state }: { state: State }) {
  return <Chip {...STATE_LOOKS[state]}>{useAdminTexts().incidents.states[state]}</Chip>;
}

function Visibility({ incident }: { incident: Incident }) {
  const texts = useAdminTexts().incidents;
  return incident.published_at === null ? (
    <Chip tone="calm" icon={PencilLine}>
      {texts.draft}
    </Chip>
  ) : (
    texts.isPublic
  );
}

function CreateDialog({ onClose }: { onClose: () => void }) {
  const texts = useAdminTexts().incidents;
  const navigate = useNavigate();
  const create = useAction('createIncident', { invalidates: ['incidents'] });
  const submit = (values: FormValues) =>
    create.mutate(
      { body: { ...factsIn(values), ...saidIn(values) } },
      {
        onSuccess: ({ id }) =>
          void navigate({ to: '/admin/$', params: { _splat: splatOf('incidents', id) } }),
      },
    );
  return (
    <Dialog title={texts.create} size="large" onClose={onClose}>
      <Form error={create.error} onSubmit={submit}>
        <FactFields />
        <SaidFields />
        <FormActions>
          <Button type="submit" look="primary" isBusy={create.isPending}>
            {texts.saveDraft}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

/** What the fields are named after their language: `title-ru`. */
const nameOf = (field: 'title' | 'text', lang: (typeof LANGS)[number]) => `${field}-${lang}`;

function translatedIn(values: FormValues, field: 'title' | 'text') {
  const [kk, en] = [values.optional(nameOf(field, 'kk')), values.optional(nameOf(field, 'en'))];
  return { ru: values.text(nameOf(field, 'ru')), ...(kk && { kk }), ...(en && { en }) };
}

function factsIn(values: FormValues) {
  return {
    title: translatedIn(values, 'title'),
    impact: values.text('impact') as Incident['impact'],
    components: COMPONENTS.filter((name) => values.isOn(`component-${name}`)),
  };
}

function saidIn(values: FormValues) {
  return { state: values.text('state') as State, text: translatedIn(values, 'text') };
}

function FactFields({ incident }: { incident?: Incident }) {
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

function SaidFields({ state = 'investigating' }: { state?: State }) {
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

function IncidentDetail({ id }: { id: string }) {
  const { frame, incidents: texts } = useAdminTexts();
  const { data, error, refetch } = useQuery(queryOf('incident', { params: { incident_id: id } }));
  const title = data?.incident.title.ru ?? frame.sections.incidents;
  return (
    <Page
      title={title}
      lead={<DeskLink to={['incidents']}>{texts.back}</DeskLink>}
      actions={data !== undefined && <IncidentActions incident={data.incident} />}
    >
      {error !== null && <Failure error={error} onRetry={refetch} />}
      {data === undefined && error === null && <SkeletonCard lines={5} />}
      {data !== undefined && (
        <>
          <IncidentFacts incident={data.incident} />
          <UpdateForm key={data.updates.length} incident={data.incident} />
          <Updates updates={data.updates} />
        </>
      )}
    </Page>
  );
}

function IncidentActions({ incident }: { incident: Incident }) {
  const texts = useAdminTexts().incidents;
  const [open, setOpen] = useState<'change' | 'publish' | 'discard'>();
  const close = () => setOpen(undefined);
  const isDraft = incident.published_at === null;
  return (
    <>
      {isDraft && (
        <Button look="primary" onClick={() => setOpen('publish')}>
          {texts.publish}
        </Button>
      )}
      <Button onClick={() => setOpen('change')}>{texts.change}</Button>
      {isDraft && (
        <Button look="quiet" onClick={() => setOpen('discard')}>
          {texts.discard}
        </Button>
      )}
      {open === 'change' && <ChangeDialog incident={incident} onClose={close} />}
      {open === 'publish' && <PublishDialog incident={incident} onClose={close} />}
      {open === 'discard' && <DiscardDialog incident={incident} onClose={close} />}
    </>
  );
}

type ActionProps = { incident: Incident; onClose: () => void };
const CHANGED = { invalidates: ['incident', 'incidents'] } as const;

function ChangeDialog({ incident, onClose }: ActionProps) {
  const texts = useAdminTexts().incidents;
  const { save } = useTexts().ui;
  const change = useAction('changeIncident', CHANGED);
  const submit = (values: FormValues) =>
    change.mutate(
      { params: { incident_id: incident.id }, body: factsIn(values) },
      { onSuccess: onClose },
    );
  return (
    <Dialog title={texts.changeTitle} size="large" onClose={onClose}>
      <Form error={change.error} onSubmit={submit}>
        <FactFields incident={incident} />
        <FormActions>
          <Button type="submit" look="primary" isBusy={change.isPending}>
            {save}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

function PublishDialog({ incident, onClose }: ActionProps) {
  const texts = useAdminTexts().incidents;
  const publish = useAction('publishIncident', CHANGED);
  const params = { incident_id: incident.id };
  return (
    <ConfirmDialog
      title={texts.publishTitle}
      action={texts.publish}
      isBusy={publish.isPending}
      error={publish.error}
      onConfirm={() => publish.mutate({ params }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{texts.publishLead}</p>
    </ConfirmDialog>
  );
}

function DiscardDialog({ incident, onClose }: ActionProps) {
  const texts = useAdminTexts().incidents;
  const navigate = useNavigate();
  const discard = useAction('discardIncident', { invalidates: ['incidents'] });
  const params = { incident_id: incident.id };
  const leave = () => void navigate({ to: '/admin/$', params: { _splat: splatOf('incidents') } });
  return (
    <ConfirmDialog
      title={texts.discardTitle}
      action={texts.discard}
      isBusy={discard.isPending}
      error={discard.error}
      onConfirm={() => discard.mutate({ params }, { onSuccess: leave })}
      onClose={onClose}
    >
      <p>{texts.discardLead}</p>
    </ConfirmDialog>
  );
}

function IncidentFacts({ incident }: { incident: Incident }) {
  const texts = useAdminTexts().incidents;
  const translations = LANGS.filter((lang) => lang !== 'ru').map((lang) => {
    const text = incident.title[lang] ?? texts.noTranslation;
    return [texts.titleIn[lang], <span key={lang}>{text}</span>] as const;
  });
  const { resolved_at: resolvedAt } = incident;
  return (
    <Card>
      <Facts
        rows={[
          [texts.state, <StateChip key="state" state={incident.state} />],
          [texts.visibility, <Visibility key="visibility" incident={incident} />],
          [texts.impact, texts.impacts[incident.impact]],
          [
            texts.components,
            incident.components.map((name) => texts.componentNames[name]).join(', '),
          ],
          [texts.started, <Time key="started" at={incident.started_at} />],
          ...(resolvedAt === null
            ? []
            : [[texts.resolved, <Time key="resolved" at={resolvedAt} />] as const]),
          ...translations,
        ]}
      />
    </Card>
  );
}

function UpdateForm({ incident }: { incident: Incident }) {
  const texts = useAdminTexts().incidents;
  const update = useAction('updateIncident', CHANGED);
  return (
    <Card title={texts.update}>
      <Form
        error={update.error}
        onSubmit={(values) =>
          update.mutate({ params: { incident_id: incident.id }, body: saidIn(values) })
        }
      >
        <SaidFields state={incident.state} />
        <FormActions>
          <Button type="submit" look="primary" isBusy={update.isPending}>
            {texts.updateAction}
          </Button>
        </FormActions>
      </Form>
    </Card>
  );
}

function Updates({ updates }: { updates: readonly Update[] }) {
  const texts = useAdminTexts().incidents;
  return (
    <Card title={texts.history}>
      <ol className="grid gap-4">
        {updates.map((update) => (
          <li key={update.number} className="grid gap-1 border-s-2 border-hairline ps-3">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <StateChip state={update.state} />
              <span className="text-sm text-muted">
                <Time at={update.at} /> {update.written_by}
              </span>
            </div>
            {LANGS.map((lang) => (
              <p key={lang} className="text-table wrap-anywhere">
                <span className="text-sm text-muted">{texts.languages[lang]}: </span>
                {update.text[lang] === null ? (
                  <span className="text-muted">{texts.noTranslation}</span>
                ) : (
                  <span lang={lang} className="whitespace-pre-line">
                    {update.text[lang]}
                  </span>
                )}
              </p>
            ))}
          </li>
        ))}
      </ol>
    </Card>
  );
}
