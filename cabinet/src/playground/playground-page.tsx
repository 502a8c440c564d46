import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFilters, whole } from '../app/filters.ts';
import type { Answer } from '../call.ts';
import { queryOf } from '../queries.ts';
import { useSession } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { LinkButton } from '../ui/controls/link-button.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { Bench } from './bench.tsx';
import { FIRST_FIELDS, type RequestFields, type Sending, scenarioOf } from './request/fields.ts';
import { KeyChoice } from './request/key-choice.tsx';

const FILTERS = { key_id: whole };

export function PlaygroundPage() {
  const texts = useTexts().playground;
  const list = useQuery(queryOf('keys'));
  return (
    <Page title={texts.title} lead={texts.lead}>
      {list.error !== null && <ErrorCard error={list.error} onRetry={list.refetch} />}
      {list.isPending && <SkeletonCard lines={6} />}
      {list.data !== undefined && list.error === null && <WithKeys facts={list.data} />}
    </Page>
  );
}

/** What was typed stays when another key is chosen; what came of it belongs to the key. */
function WithKeys({ facts }: { facts: Answer<'keys'> }) {
  const texts = useTexts().playground;
  const { person } = useSession();
  const { filters, setFilters } = useFilters(FILTERS);
  const [operation, setOperation] = useState<Sending>('otpSend');
  const [fields, setFields] = useState(FIRST_FIELDS);
  const keys = facts.keys.filter(({ state }) => state !== 'revoked');
  const row =
    keys.find(({ id }) => id === filters.key_id) ??
    keys.find(({ mode }) => mode === 'test') ??
    keys[0];
  if (row === undefined) {
    return (
      <EmptyState
        kind="first-use"
        title={texts.noKeys}
        action={
          <LinkButton look="primary" to="/app/keys">
            {texts.toKeys}
          </LinkButton>
        }
      >
        {texts.noKeysLead}
      </EmptyState>
    );
  }
  // The number of a scenario is somebody's real one for a live key.
  const isForeign = row.mode === 'live' && scenarioOf(fields.phone) !== undefined;
  const shown = isForeign ? { ...fields, phone: person.phone ?? '' } : fields;
  return (
    <Bench
      key={row.id}
      facts={facts}
      row={row}
      operation={operation}
      fields={shown}
      onOperation={setOperation}
      onSet={(edit: Partial<RequestFields>) => setFields((before) => ({ ...before, ...edit }))}
      keyChoice={
        <KeyChoice keys={keys} chosen={row} onChoose={(id) => setFilters({ key_id: id })} />
      }
    />
  );
}
