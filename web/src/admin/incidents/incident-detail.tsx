import { useQuery } from '@tanstack/react-query';
import type { Incident } from '@zhiber/contract/admin/incidents.ts';
import { LANGS } from '@zhiber/contract/languages.ts';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form, FormActions } from '../../ui/controls/form.tsx';
import { Card, Facts } from '../../ui/display/card.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { Page } from '../../ui/display/page.tsx';
import { SkeletonCard } from '../../ui/display/skeleton.tsx';
import { Time } from '../../ui/display/time.tsx';
import { BackLink } from '../back-link.tsx';
import { type DeskAnswer, queryOf, useAction } from '../call.ts';
import { CHANGED, IncidentActions } from './incident-actions.tsx';
import { StateChip, Visibility } from './incident-cells.tsx';
import { type IncidentKind, kindOf, SaidFields, saidIn } from './incident-fields.tsx';

type Update = DeskAnswer<'incident'>['updates'][number];

export function IncidentDetail({ id }: { id: string }) {
  const { frame, incidents: texts } = useAdminTexts();
  const { data, error, refetch } = useQuery(queryOf('incident', { params: { incident_id: id } }));
  const title = data?.incident.title.ru ?? frame.sections.incidents;
  return (
    <Page
      title={title}
      back={<BackLink to={['incidents']}>{texts.back}</BackLink>}
      actions={data !== undefined && <IncidentActions incident={data.incident} />}
    >
      {error !== null && <Failure error={error} onRetry={refetch} />}
      {data === undefined && error === null && <SkeletonCard lines={5} />}
      {data !== undefined && (
        <>
          <IncidentFacts incident={data.incident} />
          <UpdateForm key={data.updates.length} incident={data.incident} />
          <Updates updates={data.updates} kind={kindOf(data.incident)} />
        </>
      )}
    </Page>
  );
}

function IncidentFacts({ incident }: { incident: Incident }) {
  const texts = useAdminTexts().incidents;
  const translations = LANGS.filter((lang) => lang !== 'ru').map((lang) => {
    const text = incident.title[lang] ?? texts.noTranslation;
    return [
      texts.titleIn[lang],
      <span key={lang} lang={incident.title[lang] === null ? undefined : lang}>
        {text}
      </span>,
    ] as const;
  });
  const { resolved_at: resolvedAt } = incident;
  return (
    <Card>
      <Facts
        rows={[
          [texts.state, <StateChip key="state" state={incident.state} kind={kindOf(incident)} />],
          [texts.visibility, <Visibility key="visibility" incident={incident} />],
          ...(incident.planned_from === null || incident.planned_until === null
            ? [[texts.impact, texts.impacts[incident.impact]] as const]
            : [
                [
                  texts.planned.from,
                  <Time key="from" at={incident.planned_from} as="timeToMinute" />,
                ] as const,
                [
                  texts.planned.until,
                  <Time key="until" at={incident.planned_until} as="timeToMinute" />,
                ] as const,
              ]),
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
        className="max-w-prose"
        error={update.error}
        onSubmit={(values) =>
          update.mutate({ params: { incident_id: incident.id }, body: saidIn(values) })
        }
      >
        <SaidFields state={incident.state} kind={kindOf(incident)} />
        <FormActions>
          <Button type="submit" look="primary" isBusy={update.isPending}>
            {texts.updateAction}
          </Button>
        </FormActions>
      </Form>
    </Card>
  );
}

function Updates({ updates, kind }: { updates: readonly Update[]; kind: IncidentKind }) {
  const texts = useAdminTexts().incidents;
  return (
    <Card title={texts.history}>
      <ol className="grid gap-4">
        {updates.map((update) => (
          <li key={update.number} className="grid gap-1 border-s-2 border-hairline ps-3">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <StateChip state={update.state} kind={kind} />
              <span className="text-sm text-muted">
                <Time at={update.at} />
                {update.written_by !== null && <> · {update.written_by}</>}
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
