import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { oneOf, text, useFilters, whole } from '../app/filters.ts';
import type { Answer } from '../call.ts';
import { queryOf } from '../queries.ts';
import { useRight, useSession } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import type { PlaygroundLinks } from './backend.ts';
import { createCabinetBackend } from './cabinet-backend.ts';
import { useLiveConsent } from './live-consent.tsx';
import { Playground } from './playground.tsx';
import { useDraft } from './request/draft.ts';
import { SENDING, scenarioOf } from './request/fields.ts';
import { KeyChoice } from './request/key-choice.tsx';
import { NewTestKey } from './start/new-test-key.tsx';
import { useCabinetRuns } from './use-cabinet-runs.ts';

const FILTERS = { key_id: whole };
/** A call to repeat: the address of the page fills in the form. */
const FIRST_FILTERS = {
  operation: oneOf(SENDING),
  phone: text,
  purpose: text,
  channel: text,
  link: text,
  url: text,
  text,
  alias: text,
  expiresIn: text,
  group: text,
};

/** The playground of the cabinet, with the keys of the company. */
export function PlaygroundPage() {
  const texts = useTexts().playground;
  const list = useQuery(queryOf('keys'));
  return (
    <Page title={texts.title} lead={texts.lead}>
      {list.error !== null && <ErrorCard error={list.error} onRetry={list.refetch} />}
      {list.isPending && <SkeletonCard lines={6} />}
      {list.data !== undefined && list.error === null && <WithKeys list={list.data} />}
    </Page>
  );
}

/** What was typed stays when another key is chosen; what came of it belongs to the key. */
function WithKeys({ list }: { list: Answer<'keys'> }) {
  const { filters, setFilters } = useFilters(FILTERS);
  const { operation, ...first } = useFilters(FIRST_FILTERS).filters;
  const given = Object.entries(first).filter(([, value]) => value !== undefined);
  const draft = useDraft({ operation, fields: Object.fromEntries(given) });
  const { person, is_sandbox: isSandbox } = useSession();
  const keys = list.keys.filter(({ state }) => state !== 'revoked');
  const apiKey =
    keys.find(({ id }) => id === filters.key_id) ??
    keys.find(({ mode }) => mode === 'test') ??
    keys[0];
  if (apiKey === undefined) return <NoKeys onMade={(id) => setFilters({ key_id: id })} />;
  // Outside of the sandbox the number of a scenario is somebody's real one for a live key.
  const isForeign =
    apiKey.mode === 'live' && !isSandbox && scenarioOf(draft.fields.phone) !== undefined;
  const fields = isForeign ? { ...draft.fields, phone: person.phone ?? '' } : draft.fields;
  return (
    <KeyPlayground
      key={apiKey.id}
      list={{ ...list, keys }}
      apiKey={apiKey}
      draft={{ ...draft, fields }}
      onChoose={(id) => setFilters({ key_id: id })}
    />
  );
}

function KeyPlayground(props: {
  list: Answer<'keys'>;
  apiKey: Answer<'keys'>['keys'][number];
  draft: ReturnType<typeof useDraft>;
  onChoose: (keyId: number) => void;
}) {
  const { list, apiKey, draft, onChoose } = props;
  const {
    person,
    is_sandbox: isSandbox,
    is_sms_per_part: isSmsPerPart,
    base_url: baseUrl,
  } = useSession();
  const groups = useQuery(queryOf('groups')).data?.groups;
  const client = useQueryClient();
  const backend = useMemo(
    () => createCabinetBackend(client, { keyId: apiKey.id, isSandbox }),
    [client, apiKey.id, isSandbox],
  );
  const { withConsent, dialog } = useLiveConsent();
  const runs = useCabinetRuns();
  const links = useCabinetLinks();
  const facts = {
    keys: list.keys,
    prices: list.prices,
    isSmsPerPart,
    carries: list.carries,
    groups,
    baseUrl,
    isSandbox,
    ownPhone: person.phone,
  };
  return (
    // The bar of the cabinet stays on top of the page.
    <div className="[--playground-top:4.5rem]">
      <Playground
        backend={backend}
        facts={facts}
        apiKey={apiKey}
        keyChoice={<KeyChoice keys={list.keys} chosen={apiKey} onChoose={onChoose} />}
        draft={draft}
        links={links}
        runs={runs}
        withConsent={withConsent}
      />
      {dialog}
    </div>
  );
}

function useCabinetLinks(): PlaygroundLinks {
  const texts = useTexts().playground;
  return {
    request: (id) => (
      <Link
        to="/app/requests"
        search={{ request_id: id }}
        translate="no"
        className="link font-mono text-sm break-all"
      >
        {id}
      </Link>
    ),
    message: (id) => (
      <Link to="/app/messages/$id" params={{ id }} className="link">
        {texts.openMessage}
      </Link>
    ),
    groups: (
      <Link to="/app/groups" className="link">
        {texts.howToLink}
      </Link>
    ),
  };
}

/** One press away from a first code: the key has no name to think of and nothing to keep. */
function NoKeys({ onMade }: { onMade: (keyId: number) => void }) {
  const texts = useTexts().playground;
  const canCreate = useRight('keys.change');
  return (
    <EmptyState
      kind="first-use"
      title={texts.noKeys}
      action={<NewTestKey look="primary" onMade={({ id }) => onMade(id)} />}
    >
      {canCreate ? texts.noKeysLead : texts.noKeysNoRight}
    </EmptyState>
  );
}
