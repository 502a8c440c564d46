import { useQuery } from '@tanstack/react-query';
import { useAdminTexts } from '../texts/use-admin-texts.ts';
import { Failure } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { BarredHosts } from './abuse/barred-hosts.tsx';
import { BlockedPeople } from './abuse/blocked-people.tsx';
import { GuardDecisions } from './abuse/guard-decisions.tsx';
import { Pardons } from './abuse/pardons.tsx';
import { SuspendedCompanies } from './abuse/suspended-companies.tsx';
import { queryOf } from './call.ts';

/** `/admin/abuse?company_id=12` shows the decisions about one company. */
export function AbusePage() {
  const { frame, abuse: texts } = useAdminTexts();
  const closures = useQuery(queryOf('closures'));
  return (
    <Page title={frame.sections.abuse} lead={texts.lead}>
      <GuardDecisions />
      {closures.data === undefined && closures.error !== null && (
        <Failure error={closures.error} onRetry={closures.refetch} />
      )}
      {closures.isPending && <SkeletonCard lines={4} />}
      {closures.data !== undefined && (
        <>
          {closures.data.pardons.length > 0 && <Pardons pardons={closures.data.pardons} />}
          <BlockedPeople people={closures.data.people} />
          <SuspendedCompanies companies={closures.data.companies} />
          <BarredHosts hosts={closures.data.hosts} />
        </>
      )}
    </Page>
  );
}
